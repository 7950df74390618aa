import { childrenOf, nameOf, type Row, rowOf } from './contract-table.js';

/** One violation: the rule and the JSON Pointer. */
export type Verdict = `${string} ${string}`;

const root = rowOf('');

/**
 * Checks the limits of the contract with a second implementation that uses the hand-written table. It is slow and
 * simple, and shares no code with the product.
 */
export function judge(data: unknown): ReadonlySet<Verdict> {
  const verdicts = new Set<Verdict>();
  if (root) visit(root, data, '', verdicts);
  return verdicts;
}

function visit(row: Row, value: unknown, path: string, verdicts: Set<Verdict>): void {
  const add = (rule: string): void => {
    verdicts.add(`${rule} ${path}`);
  };
  const { type, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = row;
  if (type.includes('|') || type === 'day') {
    if (typeof value !== 'string') add('type');
    else if (!type.split('|').some((word) => word === value)) add('one-of');
    return;
  }
  if (!fits(type, value)) {
    add('type');
    return;
  }
  if (typeof value === 'string') {
    const length = Array.from(value).length;
    if (length < min) add('min-length');
    if (length > max) add('max-length');
    if (type === 'key' && !/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(value)) add('pattern');
    if (type === 'date' && !/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(value)) add('pattern');
  } else if (typeof value === 'number') {
    if (value < min) add('minimum');
    if (value > max) add('maximum');
  } else if (Array.isArray(value)) {
    if (value.length < min) add('min-items');
    if (value.length > max) add('max-items');
    const item = rowOf(`${row.path}[]`);
    if (item)
      for (const [index, element] of value.entries())
        visit(item, element, `${path}/${index}`, verdicts);
  } else if (typeof value === 'object' && value !== null) {
    visitObject(row, value, path, verdicts);
  }
}

function visitObject(row: Row, value: object, path: string, verdicts: Set<Verdict>): void {
  const entries = Object.entries(value);
  if (row.type === 'dictionary') {
    if (entries.length < (row.min ?? 0)) verdicts.add(`min-properties ${path}`);
    const item = rowOf(`${row.path}{}`);
    if (item)
      for (const [key, inner] of entries) visit(item, inner, `${path}/${escapeKey(key)}`, verdicts);
    return;
  }
  const children = childrenOf(row);
  for (const child of children) {
    const found = entries.find(([key]) => key === nameOf(child));
    if (found) visit(child, found[1], `${path}/${nameOf(child)}`, verdicts);
    else if (child.required) verdicts.add(`required ${path}`);
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
