import { childrenOf, nameOf, type Row, rowOf } from './contract-table.js';

/** One violation: the rule and the JSON Pointer. */
export type Verdict = `${string} ${string}`;

const root = rowOf('');

/**
 * A second implementation of the contract's bounds, straight from the hand-written table: slow, simple,
 * and sharing no code with the product.
 */
export function judge(data: unknown): ReadonlySet<Verdict> {
  const verdicts = new Set<Verdict>();
  if (root) visit(root, data, '', verdicts);
  return verdicts;
}

function visit(row: Row, value: unknown, at: string, verdicts: Set<Verdict>): void {
  const say = (rule: string): void => {
    verdicts.add(`${rule} ${at}`);
  };
  const { type, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = row;
  if (type.includes('|') || type === 'day') {
    if (typeof value !== 'string') say('type');
    else if (!type.split('|').some((word) => word === value)) say('one-of');
    return;
  }
  if (!fits(type, value)) {
    say('type');
    return;
  }
  if (typeof value === 'string') {
    const length = Array.from(value).length;
    if (length < min) say('min-length');
    if (length > max) say('max-length');
    if (type === 'key' && !/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(value)) say('pattern');
    if (type === 'date' && !/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(value)) say('pattern');
  } else if (typeof value === 'number') {
    if (value < min) say('minimum');
    if (value > max) say('maximum');
  } else if (Array.isArray(value)) {
    if (value.length < min) say('min-items');
    if (value.length > max) say('max-items');
    const item = rowOf(`${row.path}[]`);
    if (item)
      for (const [index, one] of value.entries()) visit(item, one, `${at}/${index}`, verdicts);
  } else if (typeof value === 'object' && value !== null) {
    visitObject(row, value, at, verdicts);
  }
}

function visitObject(row: Row, value: object, at: string, verdicts: Set<Verdict>): void {
  const entries = Object.entries(value);
  if (row.type === 'dictionary') {
    if (entries.length < (row.min ?? 0)) verdicts.add(`min-properties ${at}`);
    const item = rowOf(`${row.path}{}`);
    if (item)
      for (const [key, one] of entries) visit(item, one, `${at}/${escapeKey(key)}`, verdicts);
    return;
  }
  const children = childrenOf(row);
  for (const child of children) {
    const found = entries.find(([key]) => key === nameOf(child));
    if (found) visit(child, found[1], `${at}/${nameOf(child)}`, verdicts);
    else if (child.required) verdicts.add(`required ${at}`);
  }
  if (row.path !== '') return;
  for (const [key] of entries) {
    if (!children.some((child) => nameOf(child) === key)) {
      verdicts.add(`unknown-root-property /${escapeKey(key)}`);
    }
  }
}

function fits(type: string, value: unknown): boolean {
  switch (type) {
    case 'string':
    case 'key':
    case 'date':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'quantity':
      return typeof value === 'string' || typeof value === 'number';
    case 'list':
      return Array.isArray(value);
    default:
      return typeof value === 'object' && value !== null && !Array.isArray(value);
  }
}

function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
