import { isObject, parsePointer, valueAt } from '../../json/pointers.js';

/** What makes a finding the same one after a row was inserted above it, or the file was formatted anew. */
export interface Identity {
  /** Its place, with the items of lists by what names them: `/table/rows/[DG-2041]/state`. */
  readonly at: string;
  /** The text that is found fault with, or its beginning and a checksum; a list or object has none. */
  readonly text?: string;
}

/** What of a problem its identity is made from. */
interface Problem {
  /** JSON Pointer. */
  readonly path: string;
  /** The name is found fault with, which the pointer says, and not the value. */
  readonly atKey?: boolean | undefined;
  /** Where it is not the item at the pointer that is meant: what is, in place of the pointer. */
  readonly about?: string | undefined;
}

/** The identity of a problem in a parsed document. */
export function identityOf(data: unknown, { path, atKey, about }: Problem): Identity {
  const steps = parsePointer(path);
  const text = atKey ? undefined : shorten(valueAt(data, steps));
  return { at: about ?? placeOf(data, steps), ...(text === undefined ? {} : { text }) };
}

function placeOf(root: unknown, steps: readonly string[]): string {
  let place = '';
  let value = root;
  for (const [index, step] of steps.entries()) {
    const isItem = Array.isArray(value);
    value = valueAt(value, [step]);
    const isRow = isItem && index === 2 && steps[0] === 'table' && steps[1] === 'rows';
    const name = isItem ? nameIn(value, isRow ? [...rowNames(root), ...names] : names) : undefined;
    place += `/${isItem ? `[${name ?? `#${step}`}]` : step}`;
  }
  return place;
}

/** What names an item, in the order of preference. */
const names = ['id', 'key', 'label', 'title', 'name', 'heading', 'headline', 'text'];

/** Rows have an id, or are known by what stands over the drawer, or in the first column. */
function rowNames(root: unknown): readonly string[] {
  const title = valueAt(root, ['drawer', 'titleKey']);
  const first = valueAt(root, ['table', 'columns', '0', 'key']);
  return ['id', title, first].filter((key) => typeof key === 'string');
}

/** An item that is a text or number names itself, and so does a pair of them. */
function nameIn(item: unknown, keys: readonly string[]): string | undefined {
  if (Array.isArray(item)) {
    const isPair = item.length === 2 && item.every((each) => typeof each === 'number');
    return isPair ? item.join('-') : undefined;
  }
  if (!isObject(item)) return shorten(item);
  for (const key of keys) {
    const value = valueAt(item, [key]);
    const isName = typeof value === 'number' || (typeof value === 'string' && value !== '');
    if (isName) return shorten(value);
  }
  return undefined;
}

/** Characters of a text that an identity repeats; a longer one is identified by its checksum as well. */
const longest = 60;

function shorten(value: unknown): string | undefined {
  if (value === undefined || (typeof value === 'object' && value !== null)) return undefined;
  const text = String(value);
  return text.length <= longest ? text : `${text.slice(0, longest)}… ${checksum(text)}`;
}

/** FNV-1a of 32 bits over UTF-16 units, as 8 hexadecimal digits. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}
