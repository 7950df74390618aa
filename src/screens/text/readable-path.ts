import { isObject, parsePointer, valueAt } from '../../json/pointers.js';
import { beginning, excerpt } from './quote.js';

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
      const isRow = index === 2 && steps[0] === 'table' && steps[1] === 'rows';
      const name = isRow ? rowName(root, value) : itemName(value);
      result += name === undefined ? `[${step}]` : `[${step} "${excerpt(name, 30)}"]`;
    } else {
      result += `${result === '' ? '' : '.'}${excerpt(step, 100)}`;
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
  // Of a long text only the beginning is shown, and one that begins with a page of spaces is no name.
  return typeof value === 'string' && beginning(value, 30).trim() !== '' ? value : undefined;
}
