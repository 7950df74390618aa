import { isObject, pointer, valueAt } from '../../json/pointers.js';
import type { Fix, Remedies } from '../findings/finding.js';
import { suggestRemoval } from '../findings/remedies.js';
import { quote } from '../text/quote.js';
import type { Rule } from './rule.js';

export const columnWidth: Rule = {
  id: 'column-width',
  severity: 'warning',
  summary: 'The width of a column is invalid',
  documentation:
    'The width of a column must be a length such as 120px, 20%, 10rem or 12ch. A number without a unit is in pixels. Any other text is ignored, and the width depends on the content.',
  examples: () => {
    const screen = (width: string) => ({
      table: { columns: [{ key: 'id', label: 'Number', width }], rows: [{ id: 'A-1' }] },
    });
    return { bad: screen('wide'), finds: ['/table/columns/0/width'], good: screen('120px') };
  },
  check({ degradations }, report) {
    for (const { path, detail } of degradations('width-unreadable')) {
      report(
        path,
        `${quote(detail)} is not a valid width. Use a length such as 120px, 20% or 12ch.`,
        suggestRemoval(path, 'width'),
      );
    }
  },
};

/** Returns the removal of the second column, as a fix if both columns are equal, or otherwise as a suggestion. */
function copyRemedies(data: unknown, first: number, second: number): Remedies {
  const columns = valueAt(data, ['table', 'columns']);
  const [one, other] = [first, second].map((index) => valueAt(columns, [String(index)]));
  const fix: Fix = {
    title: 'Remove the second column',
    edits: [{ kind: 'remove', path: pointer('table', 'columns', second) }],
  };
  return isCopy(one, other) ? { fix } : { suggestions: [fix] };
}

/** Returns true if two columns have the same properties, in any order. Property values are scalars or flat lists. */
function isCopy(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  );
}

function isSame(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

export const duplicateColumn: Rule = {
  id: 'duplicate-column',
  severity: 'warning',
  summary: 'Two columns have the same key',
  documentation:
    'The key of a column is the row field that it shows. Two columns with the same key show the same values, and are sorted and filtered together.',
  examples: () => {
    const first = { key: 'id', label: 'Number' };
    return {
      bad: { table: { columns: [first, { key: 'id', label: 'Name' }], rows: [{ id: 'A-1' }] } },
      finds: ['/table/columns/1/key'],
      good: {
        table: {
          columns: [first, { key: 'name', label: 'Name' }],
          rows: [{ id: 'A-1', name: 'Lease' }],
        },
      },
    };
  },
  check({ data, definition }, report) {
    const seen = new Map<string, number>();
    definition.table?.columns.forEach(({ key }, index) => {
      const first = seen.get(key);
      if (first === undefined) seen.set(key, index);
      else
        report(
          pointer('table', 'columns', index, 'key'),
          `Column ${first} already has the key ${quote(key)}.`,
          () => copyRemedies(data, first, index),
        );
    });
  },
};

const unsafe = new Set(['__proto__', 'constructor', 'prototype']);
const reserved = new Set(['_flags', '_docs']);

function advice(key: string): string {
  return `${quote(key)} is a reserved name in JavaScript. Choose a different key.`;
}

export const unsafeKey: Rule = {
  id: 'unsafe-key',
  severity: 'warning',
  summary: 'A key is reserved',
  documentation:
    "__proto__, constructor and prototype have a special meaning in JavaScript, so programs that read the definition may lose these fields or fail. _flags and _docs contain a row's agent checks and documents, and cannot be columns.",
  examples: () => ({
    bad: {
      table: {
        columns: [
          { key: '__proto__', label: 'Parent' },
          { key: '_docs', label: 'Files' },
        ],
        rows: [{ name: 'A-1' }],
      },
    },
    finds: ['/table/columns/0/key', '/table/columns/1/key'],
    good: { table: { columns: [{ key: 'parent', label: 'Parent' }], rows: [{ parent: 'A-1' }] } },
  }),
  check({ definition, rowFields }, report, reportKey) {
    const { columns = [], rows = [] } = definition.table ?? {};
    columns.forEach(({ key }, index) => {
      if (!unsafe.has(key) && !reserved.has(key)) return;
      const path = pointer('table', 'columns', index, 'key');
      report(
        path,
        unsafe.has(key) ? advice(key) : `${quote(key)} is reserved in rows and cannot be a column.`,
      );
    });
    for (const key of rowFields.keys()) {
      if (!unsafe.has(key)) continue;
      for (const [index, row] of rows.entries()) {
        if (Object.hasOwn(row, key)) reportKey(pointer('table', 'rows', index, key), advice(key));
      }
    }
    for (const key of Object.keys(definition.statuses ?? {})) {
      if (unsafe.has(key)) reportKey(pointer('statuses', key), advice(key));
    }
  },
};
