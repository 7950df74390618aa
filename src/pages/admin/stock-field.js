import { textField } from './fields.js';
import { leftHint, parseLeft } from './stock.js';

/**
 * Pieces left of a product: empty where they are not counted.
 *
 * @param {string} name
 * @param {string} label
 * @returns {import('./fields.js').Field}
 */
export function stockField(name, label) {
  const field = textField(name, label, {
    inputmode: 'numeric',
    class: 'input short',
    hint: 'Counted down with each piece that is paid for. 0 is sold out; empty is not counted.',
    checks: [(text) => (Number.isNaN(parseLeft(text)) ? leftHint : undefined)],
  });
  return {
    ...field,
    read: () => parseLeft(field.raw()),
    show: (value) => field.show(value === null || value === undefined ? '' : String(value)),
  };
}
