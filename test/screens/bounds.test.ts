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
  it('shows a thousand findings, errors first, and counts all of them', async () => {
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

  it('describes only the findings that it shows', () => {
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

  it('does not count accepted findings, regardless of their number', async () => {
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

  it('describes duplicate keys up to the specified maximum', async () => {
    const text = `{"product": ${JSON.stringify(product)}, ${list(1_501, () => '"nav": []').join()}}`;
    const { findings } = await checkScreen(text, { max: 20_000 });
    expect(findings.filter(({ rule }) => rule === 'duplicate-key')).toHaveLength(1_500);
    expect((await checkScreen(text, {})).findings).toHaveLength(1_000);
  });

  it('reports the location of a duplicate key at any depth', async () => {
    const depth = 20_000;
    const text = `{"product": {"name": "x", "entity": "y"}, "user": ${'{"a":'.repeat(depth)}{"b": 1, "b": 2}${'}'.repeat(depth)}}`;
    const { findings, counts } = await checkScreen(text, {});
    expect(counts.errors).toBe(1);
    const duplicate = findings.find(({ rule }) => rule === 'duplicate-key');
    expect(duplicate?.column).toBe(text.lastIndexOf('"b"') + 1);
  });
});

describe('the text of a finding', () => {
  it('limits the text of a finding if names and values are long', async () => {
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
    for (const { path, location, message, frame } of findings) {
      expect(JSON.stringify({ path, location, message, frame }).length).toBeLessThan(3_000);
    }
  });

  it('refers to the parent object if a name is too long for a pointer', async () => {
    const { findings } = await check({
      statuses: { ['k'.repeat(5_000)]: { label: 'a', tone: 'x' } },
    });
    expect(findings.map(({ rule, path }) => `${rule} ${path}`)).toContain('one-of /statuses');
  });
});

describe('a check', () => {
  it('reads only cells that exist', () => {
    let reads = 0;
    const row = new Proxy(
      { k7: 1 },
      {
        get: (target, key) => {
          reads++;
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
    expect(reads).toBeLessThan(5_000);
  });

  it('checks each cell once, even if many columns have its key', async () => {
    const columns = list(300, () => ({ key: 'a', label: 'A', type: 'num' }));
    const { counts } = await check({ table: { columns, rows: list(300, () => ({ a: 'x' })) } });
    expect(counts.warnings).toBe(299 + 300);
  });

  it('compares an unknown word with a limited number of known words', () => {
    let generated = 0;
    function* names(): Generator<string> {
      for (;;) {
        generated++;
        yield `name${generated}`;
      }
    }
    expect(nearest('nmae5', names())).toBe('name5');
    expect(generated).toBeLessThan(300);
  });

  it.each([
    ['separators', () => toNumber(`1${','.repeat(500_000)}1`)],
    ['nested lists', () => plainText(JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`))],
  ])('does not fail on a value with very many %s', (_name, read) => {
    expect(() => read()).not.toThrow();
  });

  it('counts the sentences of a long summary without backtracking', async () => {
    const aiSummary = `${'.'.repeat(20_000)}${' '.repeat(20_000)}x`;
    const { counts } = await check({ scenario: { headline: 'a', control: 'b', aiSummary } });
    expect(counts.errors).toBe(1);
  });
});

describe('a document that is nested too deeply for recursion', () => {
  // The engine's stack has room for about 14,000 calls of the smallest function.
  const depth = 100_000;
  const nestings = {
    lists: `${'['.repeat(depth)}${']'.repeat(depth)}`,
    objects: `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
    'lists and objects': `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`,
  };
  const column = '"key": "a", "label": "A"';
  const contexts: Readonly<Record<string, (inner: string) => string>> = {
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
  const cases = Object.keys(contexts).flatMap((location) =>
    Object.keys(nestings).map((kind) => [kind, location] as const),
  );

  it.each(cases)('reports deeply nested %s in %s', async (kind, location) => {
    const text = contexts[location]?.(nestings[kind as keyof typeof nestings]) ?? '';
    const { counts, findings } = await checkScreen(text, {});
    expect(counts.errors).toBeGreaterThan(0);
    expect(JSON.stringify(findings).length).toBeLessThan(20_000);
  });

  it('reports an unknown name once if it also occurs in an invalid nested list', async () => {
    const { findings } = await check({ nav: [[{ label: 'a', odd: 1 }], { label: 'a', odd: 1 }] });
    expect(
      findings.filter(({ rule }) => rule === 'unknown-property').map(({ path }) => path),
    ).toEqual(['/nav/1/odd']);
  });
});
