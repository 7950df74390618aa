import { pointer } from '../../json/pointers.js';
import { quote } from '../text/quote.js';
import type { Rule } from './rule.js';

const unsafe = new Set(['__proto__', 'constructor', 'prototype']);
const reserved = new Set(['_flags', '_docs']);

function advice(key: string): string {
  return `${quote(key)} is a name that JavaScript objects use themselves; choose another key.`;
}

export const unsafeKey: Rule = {
  id: 'unsafe-key',
  severity: 'warning',
  summary: 'A key that means something else to the machine',
  documentation:
    "__proto__, constructor and prototype are names that JavaScript objects use themselves: programs that read the definition may lose such a field or trip over it. _flags and _docs are reserved for the agent's checks and the documents of a row and cannot be columns.",
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
        unsafe.has(key)
          ? advice(key)
          : `${quote(key)} is reserved for rows and cannot be a column.`,
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
