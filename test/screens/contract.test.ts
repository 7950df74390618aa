import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkContract as checkInto } from '../../src/screens/check/contract.js';
import type { Problem } from '../../src/screens/findings/finding.js';
import { gatherProblems } from '../../src/screens/findings/gather.js';
import { judge } from './contract-judge.js';
import { childrenOf, nameOf, type Row, rowOf, rows, smallest, textOf } from './contract-table.js';

/** Returns a document with a value at the path of a row, and the JSON Pointer of the value. The rest is valid. */
function documentWith(row: Row, value: unknown): { data: unknown; pointer: string } {
  const steps = row.path.match(/\w+|\[\]|\{\}/g) ?? [];
  let pointer = '';
  const build = (index: number, prefix: string): unknown => {
    const step = steps[index];
    if (step === undefined) return value;
    const parent = rowOf(prefix);
    const container = parent ? smallest(parent) : {};
    if (step === '[]') {
      pointer += '/0';
      const list = Array.isArray(container) ? container : [];
      return [build(index + 1, `${prefix}[]`), ...list.slice(1)];
    }
    if (step === '{}') {
      pointer += '/k0';
      return { ...(container as object), k0: build(index + 1, `${prefix}{}`) };
    }
    pointer += `/${step}`;
    const next = prefix === '' ? step : `${prefix}.${step}`;
    return { ...(container as object), [step]: build(index + 1, next) };
  };
  const data = build(0, '');
  return { data, pointer };
}

const checkContract = (data: unknown): readonly Problem[] =>
  gatherProblems((add) => checkInto(data, add)).problems;

const errorsOf = (data: unknown): string[] =>
  checkContract(data).map(({ rule, path }) => `${rule} ${path}`);

const withBounds = rows.filter(({ min, max }) => min !== undefined || max !== undefined);
const title = ({ path, type, min, max }: Row): string =>
  `${path} ${type} ${min ?? ''}..${max ?? ''}`;

/** Returns a value of the row's type with a length, a number of items or a value of `size`. */
function sized(row: Row, size: number): unknown {
  const item = rowOf(`${row.path}[]`);
  if (row.type === 'string') return textOf(size);
  if (row.type === 'list') return Array.from({ length: size }, () => item && smallest(item));
  if (row.type === 'dictionary') return size === 0 ? {} : smallest(row);
  return size;
}

const ruleNames: Readonly<Record<string, readonly [string, string]>> = {
  string: ['min-length', 'max-length'],
  list: ['min-items', 'max-items'],
  dictionary: ['min-properties', 'max-properties'],
  integer: ['minimum', 'maximum'],
  number: ['minimum', 'maximum'],
};

describe('the upper limit', () => {
  const bounded = withBounds.filter(({ max }) => max !== undefined);

  it.each(bounded.map((row) => [title(row), row] as const))(
    'accepts the upper limit of %s and rejects a larger size',
    (_title, row) => {
      const inside = documentWith(row, sized(row, row.max ?? 0));
      expect(errorsOf(inside.data)).toEqual([]);
      const outside = documentWith(row, sized(row, (row.max ?? 0) + 1));
      expect(errorsOf(outside.data)).toEqual([`${ruleNames[row.type]?.[1]} ${outside.pointer}`]);
    },
  );
});

describe('the lower limit', () => {
  const bounded = withBounds.filter(({ min }) => min !== undefined);

  it.each(bounded.map((row) => [title(row), row] as const))(
    'accepts the lower limit of %s and rejects a smaller size',
    (_title, row) => {
      const inside = documentWith(row, sized(row, row.min ?? 0));
      expect(errorsOf(inside.data)).toEqual([]);
      const outside = documentWith(row, sized(row, (row.min ?? 0) - 1));
      expect(errorsOf(outside.data)).toEqual([`${ruleNames[row.type]?.[0]} ${outside.pointer}`]);
    },
  );
});

describe('the type', () => {
  const wrong: readonly unknown[] = [null, true, 'text', 1.5, [], {}];

  it.each(rows.map((row) => [row.path, row] as const))('checks the type of %s', (_path, row) => {
    for (const value of wrong) {
      const { data } = documentWith(row, value);
      expect([value, [...new Set(errorsOf(data))].sort()]).toEqual([
        value,
        [...judge(data)].sort(),
      ]);
    }
    const { data, pointer } = documentWith(row, null);
    expect(errorsOf(data)).toContain(`type ${pointer}`);
  });
});

describe('the enum', () => {
  const enums = rows.filter(({ type }) => type.includes('|') || type === 'day');

  it.each(enums.map((row) => [row.path, row] as const))(
    'accepts only the allowed words for %s',
    (_path, row) => {
      for (const word of row.type.split('|')) {
        expect(errorsOf(documentWith(row, word).data)).toEqual([]);
        const { data, pointer } = documentWith(row, word.toUpperCase());
        expect(errorsOf(data)).toEqual([`one-of ${pointer}`]);
      }
    },
  );
});

describe('a missing required property', () => {
  const required = rows.filter(({ required, path }) => required && path !== '');

  it.each(required.map((row) => [row.path, row] as const))('reports a missing %s', (path, row) => {
    const parentPath = path.slice(0, Math.max(0, path.lastIndexOf('.')));
    const parent = rowOf(parentPath);
    if (parent === undefined) throw new Error(`The table does not contain ${parentPath}.`);
    const rest = Object.entries(smallest(parent) as object).filter(([key]) => key !== nameOf(row));
    const { data, pointer } = documentWith(parent, Object.fromEntries(rest));
    expect(errorsOf(data)).toEqual([`required ${pointer}`]);
    expect(checkContract(data)[0]?.message).toContain(`"${nameOf(row)}"`);
  });
});

describe('the patterns of the contract', () => {
  const key = rows.find(({ type }) => type === 'key');
  const date = rows.find(({ type }) => type === 'date');

  it.each(['a', '_', 'A9_z', '__proto__'])('accepts the column key %s', (text) => {
    expect(key && errorsOf(documentWith(key, text).data)).toEqual([]);
  });

  it.each(['', '1a', 'a-b', 'ключ', 'a b', 'a\n'])('rejects the column key %j', (text) => {
    expect(key && errorsOf(documentWith(key, text).data)).toEqual(['pattern /table/columns/0/key']);
  });

  it.each(['2026-01-31', '0000-00-00'])('accepts the date %s', (text) => {
    expect(date && errorsOf(documentWith(date, text).data)).toEqual([]);
  });

  it.each(['', '2026-1-31', '26-01-31', '2026-01-31T00:00', '٢٠٢٦-٠١-٣١'])(
    'rejects the date %j',
    (text) => {
      expect(date && errorsOf(documentWith(date, text).data)).toEqual([
        'pattern /calendar/events/0/date',
      ]);
    },
  );
});

describe('the root of a definition', () => {
  it.each([[], null, 'text', 1, true])('rejects %j as the root of a definition', (data) => {
    expect(errorsOf(data)).toEqual(['type ']);
  });

  it('allows only known root properties, and suggests the name of a misspelt one', () => {
    const product = { name: 'Contracts', entity: 'contract' };
    const [problem] = checkContract({ product, tabel: {} });
    expect(problem).toMatchObject({ rule: 'unknown-root-property', path: '/tabel', atKey: true });
    expect(problem?.message).toContain('Did you mean "table"?');
  });

  it('requires only product at the root', () => {
    expect(errorsOf({})).toEqual(['required ']);
    expect(errorsOf({ product: { name: 'x', entity: 'y' } })).toEqual([]);
  });

  it('allows additional properties in nested objects', () => {
    expect(errorsOf({ product: { name: 'x', entity: 'y', color: 1 }, user: { x: null } })).toEqual(
      [],
    );
  });
});

describe('a second implementation of the limits', () => {
  const odd = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      true,
      false,
      '',
      'ok',
      'bar',
      'day',
      '2026-01-01',
      'key_1',
      'ключ',
    ),
    fc.constantFrom<unknown>(-1, 0, 0.5, 1, 2, 3, 100, 100.5, 1e6, -0),
    fc.nat({ max: 60 }).map(textOf),
    fc
      .constantFrom(90, 120, 160, 220, 280, 300, 400, 500, 700, 4000)
      .chain((limit) => fc.integer({ min: limit - 1, max: limit + 1 }).map(textOf)),
    fc.array(fc.constantFrom<unknown>('x', 1, null, {}, [0, 1]), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom('a', 'label', 'tone', '__proto__', 'x/y~z'), fc.constant('ok')),
  );
  const mutation = fc.record({
    row: fc.constantFrom(...rows),
    value: odd,
    size: fc.nat({ max: 42 }),
  });

  /** Returns the smallest document with some values replaced by unusual values or by lists of a certain size. */
  function mutate(mutations: readonly { row: Row; value: unknown; size: number }[]): unknown {
    let data: unknown = rows[0] && smallest(rows[0]);
    for (const { row, value, size } of mutations) {
      const known = row.type === 'list' && size % 2 === 0 ? sized(row, size) : value;
      data = merge(data, documentWith(row, known).data);
    }
    return data;
  }

  function merge(a: unknown, b: unknown): unknown {
    const isObject = (x: unknown): x is Record<string, unknown> =>
      typeof x === 'object' && x !== null && !Array.isArray(x);
    if (!isObject(a) || !isObject(b)) return b;
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    return Object.fromEntries(
      keys.map((key) => [
        key,
        Object.hasOwn(b, key) ? merge(Object.hasOwn(a, key) ? a[key] : undefined, b[key]) : a[key],
      ]),
    );
  }

  it('agrees with a second implementation on generated documents', () => {
    let invalid = 0;
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 6 }), (mutations) => {
        const data = mutate(mutations);
        const expected = [...judge(data)].sort();
        if (expected.length > 0) invalid++;
        expect([...new Set(errorsOf(data))].sort()).toEqual(expected);
      }),
      { numRuns: 1_500 },
    );
    // Ensures that the documents include both valid and invalid ones.
    expect(invalid).toBeGreaterThan(150);
    expect(invalid).toBeLessThan(1_497);
  });

  it('covers every root property of the contract', () => {
    expect(childrenOf({ ...(rows[0] as Row), path: '' })).toHaveLength(32);
  });
});
