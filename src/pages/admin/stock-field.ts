import type { Field } from './fields.ts';
import { textField } from './fields.ts';
import { parseLeft } from './stock.ts';
import type { Words } from './words/en.ts';

/** A field for the pieces left of a product; empty if they are not counted. */
export function stockField(name: string, { product, stock }: Words): Field {
  const field = textField(name, product.left, {
    inputmode: 'numeric',
    class: 'input short',
    hint: product.leftHint,
    checks: [(text) => (Number.isNaN(parseLeft(text)) ? stock.wrong : undefined)],
  });
  return {
    ...field,
    read: () => parseLeft(field.raw()),
    show: (value) => field.show(value === null || value === undefined ? '' : String(value)),
  };
}
