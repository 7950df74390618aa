import { escapeForeign } from '../foreign-text.js';
import { isObject, parsePointer, valueAt } from './pointers.js';
import { shorten } from './quote.js';

/** What an item of a list is called, in the order of preference. */
const names = ['label', 'title', 'name', 'key', 'heading', 'headline', 'id', 'text'];

/**
 * A JSON Pointer for people: `table.rows[3 "DG-2041"].status`. List items are numbered from 0, as in
 * the pointer, and named where something names them; rows by the drawer's title or the first column.
 */
export function readablePath(root: unknown, path: string): string {
  let result = '';
  let value = root;
  const steps = parsePointer(path);
  for (const [index, step] of steps.entries()) {
    const inList = Array.isArray(value);
    value = valueAt(value, [step]);
    if (inList) {
      const list = steps.slice(0, index).join('.');
      const name = list === 'table.rows' ? rowName(root, value) : itemName(value);
      result +=
        name === undefined ? `[${step}]` : `[${step} "${shorten(escapeForeign(name), 30)}"]`;
    } else {
      result += `${result === '' ? '' : '.'}${escapeForeign(step)}`;
    }
  }
  return result === '' ? 'the whole definition' : result;
}

function rowName(root: unknown, row: unknown): string | undefined {
  const key =
    valueAt(root, ['drawer', 'titleKey']) ?? valueAt(root, ['table', 'columns', '0', 'key']);
  const cell = typeof key === 'string' ? nameOf(valueAt(row, [key])) : undefined;
  return cell ?? nameOf(valueAt(row, ['id']));
}

function itemName(item: unknown): string | undefined {
  if (!isObject(item)) return undefined;
  return names.map((name) => nameOf(valueAt(item, [name]))).find((name) => name !== undefined);
}

function nameOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
