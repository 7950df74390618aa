import { describe, expect, it } from 'vitest';
import { nearest } from '../../src/base/nearest.js';
import { checkScreen } from '../../src/screens/check/check-text.js';
import { byKey, eachCell, plainText, toNumber } from '../../src/screens/definition/values.js';
import { acceptFindings } from '../../src/screens/findings/accepted.js';
import { omittedOf, type Severity } from '../../src/screens/findings/finding.js';
import { gatherProblems } from '../../src/screens/findings/gather.js';

const product = { name: 'Contracts', entity: 'contract' };
const check = (value: object) => checkScreen(JSON.stringify({ product, ...value }), {});
const list = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index));

describe('a file with more than a thousand findings', () => {
  it('shows a thousand findings, errors first, and counts all', async () => {
    const nav = list(3_000, (index) =>
      index % 3 === 0 ? { label: 'a', count: 1 } : { label: 'a', x: 1 },
    );
    const late = { ...product, [`z${'y'.repeat(10)}`]: 1, language: 'de', view: 5 };
    const checked = await checkScreen(JSON.stringify({ nav, product: late }), {});
    expect(checked.counts).toMatchObject({ errors: 2, warnings: 3_001 });
    expect(checked.findings).toHaveLength(1_000);
    expect(checked.findings.slice(0, 2).map(({ rule }) => rule)).toEqual(['one-of', 'type']);
    expect(omittedOf(checked)).toBe(2 + 3_001 + checked.counts.infos - 1_000);
  });

  it('describes no more findings than it shows', () => {
    let described = 0;
    const { problems, counts } = gatherProblems((add) => {
      for (let index = 0; index < 50_000; index++) {
        const severity: Severity = index % 2 === 0 ? 'warning' : 'error';
        add(severity, () => {
          described++;
          return { rule: 'x', severity, path: '', message: '' };
        });
      }
    });
    expect([described, problems.length, counts.errors]).toEqual([1_000, 1_000, 25_000]);
    expect(problems.every(({ severity }) => severity === 'error')).toBe(true);
  });

  it('does not count accepted findings, however many there are', async () => {
    const text = JSON.stringify({ product, nav: list(2_000, () => ({ label: 'a', count: 1 })) });
    const accepted = acceptFindings([
      { rule: 'deprecated-property', path: '/nav', file: 'a.json' },
      { rule: 'advised-count' },
    ]);
    expect((await checkScreen(text, { accepted }, { file: 'a.json' })).counts).toEqual({
      errors: 0,
      warnings: 0,
      infos: 0,
    });
    expect((await checkScreen(text, { accepted }, { file: 'b.json' })).counts.warnings).toBe(2_000);
  });

  it('describes at most the requested number of duplicate keys', async () => {
    const text = `{"product": ${JSON.stringify(product)}, ${list(1_501, () => '"nav": []').join()}}`;
    const { findings } = await checkScreen(text, { most: 20_000 });
    expect(findings.filter(({ rule }) => rule === 'duplicate-key')).toHaveLength(1_500);
    expect((await checkScreen(text, {})).findings).toHaveLength(1_000);
  });

  it('finds duplicate keys at any depth, each with its location', async () => {
    const depth = 20_000;
    const text = `{"product": {"name": "x", "entity": "y"}, "user": ${'{"a":'.repeat(depth)}{"b": 1, "b": 2}${'}'.repeat(depth)}}`;
    const { findings, counts } = await checkScreen(text, {});
    expect(counts.errors).toBe(1);
    const duplicate = findings.find(({ rule }) => rule === 'duplicate-key');
    expect(duplicate?.column).toBe(text.lastIndexOf('"b"') + 1);
  });
});

describe('the text of a finding', () => {
  it('is short, however long the names and values are', async () => {
    const long = 'k'.repeat(300_000);
    const { findings } = await check({
      statuses: {
        [long]: {
          label: long,
          tone: long,
          ...Object.fromEntries(list(500, (at) => [`u${at}`, 1])),
        },
      },
      table: {
        columns: [
          {
            key: 'a',
            label: 'A',
            type: 'status',
            values: list(5_000, (at) => `${long.slice(0, 60)}${at}`),
          },
        ],
        rows: [{ a: long, id: long, [long]: 1 }],
      },
      kpis: [{ value: long, label: long, [long]: 1 }],
      analytics: {
        charts: [{ type: 'donut', title: 'x', points: [{ label: 'a', value: `-5${long}` }] }],
        findings: [],
      },
    });
    expect(findings.length).toBeGreaterThan(500);
    for (const { path, place, message, frame } of findings) {
      expect(JSON.stringify({ path, place, message, frame }).length).toBeLessThan(3_000);
    }
  });

  it('names the parent object when a name is too long for a pointer', async () => {
    const { findings } = await check({
      statuses: { ['k'.repeat(5_000)]: { label: 'a', tone: 'x' } },
    });
    expect(findings.map(({ rule, path }) => `${rule} ${path}`)).toContain('one-of /statuses');
  });
});

describe('the work of a check grows linearly', () => {
  it('by reading only the cells that rows have', () => {
    let touched = 0;
    const row = new Proxy(
      { k7: 1 },
      {
        get: (target, key) => {
          touched++;
          return Reflect.get(target, key);
        },
      },
    );
    const columns = byKey(list(1_000, (index) => ({ key: `k${index}` })));
    const seen: string[] = [];
    eachCell(
      list(1_000, () => row),
      columns,
      (_cell, _index, key) => seen.push(key),
    );
    expect(seen).toHaveLength(1_000);
    expect(touched).toBeLessThan(5_000);
  });

  it('by checking each cell once, however many columns have its key', async () => {
    const columns = list(300, () => ({ key: 'a', label: 'A', type: 'num' }));
    const { counts } = await check({ table: { columns, rows: list(300, () => ({ a: 'x' })) } });
    expect(counts.warnings).toBe(299 + 300);
  });

  it('by comparing a word with a limited number of others', () => {
    let asked = 0;
    function* names(): Generator<string> {
      for (;;) {
        asked++;
        yield `name${asked}`;
      }
    }
    expect(nearest('nmae5', names())).toBe('name5');
    expect(asked).toBeLessThan(300);
  });

  it.each([
    ['separators', () => toNumber(`1${','.repeat(500_000)}1`)],
    ['lists in lists', () => plainText(JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`))],
  ])('with hundreds of thousands of %s', (_what, work) => {
    expect(() => work()).not.toThrow();
  });

  it('without backtracking at the ends of a summary', async () => {
    const aiSummary = `${'.'.repeat(20_000)}${' '.repeat(20_000)}x`;
    const { counts } = await check({ scenario: { headline: 'a', control: 'b', aiSummary } });
    expect(counts.errors).toBe(1);
  });
});

describe('nesting too deep for recursion', () => {
  // The engine's stack holds some 14,000 calls of the smallest function.
  const depth = 100_000;
  const nestings = {
    lists: `${'['.repeat(depth)}${']'.repeat(depth)}`,
    objects: `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
    both: `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`,
  };
  const column = '"key": "a", "label": "A"';
  const places: Readonly<Record<string, (inner: string) => string>> = {
    product: (inner) => `{"product": ${inner}}`,
    nav: (inner) => `{"nav": ${inner}}`,
    sections: (inner) => `{"sections": ${inner}}`,
    'the fields of a section': (inner) => `{"sections": [{"title": "a", "fields": ${inner}}]}`,
    statuses: (inner) => `{"statuses": {"a": ${inner}}}`,
    answers: (inner) => `{"ai": {"answers": ${inner}}}`,
    'the values of a column': (inner) =>
      `{"table": {"columns": [{${column}, "values": ${inner}}], "rows": []}}`,
    rows: (inner) => `{"table": {"columns": [{${column}}], "rows": ${inner}}}`,
    cells: (inner) => `{"table": {"columns": [{${column}}], "rows": [{"a": ${inner}}]}}`,
    'a duplicate key': (inner) => `{"nav": ${inner}, "nav": ${inner}}`,
    'an unknown property': (inner) => `{"mine": ${inner}}`,
  };
  const cases = Object.keys(places).flatMap((place) =>
    Object.keys(nestings).map((kind) => [kind, place] as const),
  );

  it.each(cases)('gives findings: %s in %s', async (kind, place) => {
    const text = places[place]?.(nestings[kind as keyof typeof nestings]) ?? '';
    const { counts, findings } = await checkScreen(text, {});
    expect(counts.errors).toBeGreaterThan(0);
    expect(JSON.stringify(findings).length).toBeLessThan(20_000);
  });

  it('reports unknown names in a list within a list once', async () => {
    const { findings } = await check({ nav: [[{ label: 'a', odd: 1 }], { label: 'a', odd: 1 }] });
    expect(
      findings.filter(({ rule }) => rule === 'unknown-property').map(({ path }) => path),
    ).toEqual(['/nav/1/odd']);
  });
});
