import { describe, expect, it } from 'vitest';
import { checkScreen } from '../../src/screens/check/check-text.js';
import { applyTextEdits, textEdits } from '../../src/screens/check/text-edits.js';
import type { Finding, Fix } from '../../src/screens/findings/finding.js';
import { allRules } from '../../src/screens/rules/all-rules.js';

const product = { name: 'Contracts', entity: 'contract' };
const statuses = { new: { label: 'New', tone: 'info' }, done: { label: 'Done', tone: 'ok' } };
const column = { key: 'id', label: 'Number' };

/** Returns the findings for one path. */
const findAt = async (definition: object, path: string): Promise<readonly Finding[]> => {
  const { findings } = await checkScreen(JSON.stringify(definition), {});
  return findings.filter((finding) => finding.path === path);
};
const findOne = async (definition: object, path: string): Promise<Finding> => {
  const [found] = await findAt(definition, path);
  if (!found) throw new Error(`There is no finding at ${path}.`);
  return found;
};
const applyFix = (definition: object, { edits }: Fix): unknown => {
  const text = JSON.stringify(definition);
  const changes = textEdits(text, edits);
  return changes && JSON.parse(applyTextEdits(text, changes));
};

describe('a finding with one correct fix', () => {
  const screen = (more: object): object => ({ product, ...more });
  it.each([
    ['layout without archetype', { layout: 'cockpit' }, '/layout', { archetype: 'cockpit' }],
    [
      'layout with the same value as archetype',
      { layout: 'queue', archetype: 'queue' },
      '/layout',
      { archetype: 'queue' },
    ],
    [
      'layout with a different value than archetype',
      { layout: 'cockpit', archetype: 'queue' },
      '/layout',
      { archetype: 'queue' },
    ],
    ['filterKeys', { filterKeys: [], nav: [] }, '/filterKeys', { nav: [] }],
    [
      'the count of a section',
      { nav: [{ label: 'A', count: 1 }] },
      '/nav/0/count',
      { nav: [{ label: 'A' }] },
    ],
    [
      'a misspelt name',
      { kpis: [{ value: '1', label: 'A', hnit: 'b' }] },
      '/kpis/0/hnit',
      { kpis: [{ value: '1', label: 'A', hint: 'b' }] },
    ],
    [
      'an abbreviated name',
      { sections: [{ title: 'A', desc: 'b' }] },
      '/sections/0/desc',
      { sections: [{ title: 'A', description: 'b' }] },
    ],
    [
      'a name in a different case in an object with a similar name',
      { scenario: { headline: 'A', control: 'B', rejectto: 'new' }, statuses },
      '/scenario/rejectto',
      { scenario: { headline: 'A', control: 'B', rejectTo: 'new' }, statuses },
    ],
    [
      'a misspelt name at the root',
      { kpsi: [{ value: '1', label: 'A' }] },
      '/kpsi',
      { kpis: [{ value: '1', label: 'A' }] },
    ],
    [
      'a word in a different case',
      { statuses: { a: { label: 'A', tone: 'Warn' } } },
      '/statuses/a/tone',
      { statuses: { a: { label: 'A', tone: 'warn' } } },
    ],
    [
      'an archetype in a different case',
      { archetype: 'Cockpit' },
      '/archetype',
      { archetype: 'cockpit' },
    ],
    [
      'an optional property that is null',
      { product: { ...product, purpose: null } },
      '/product/purpose',
      { product },
    ],
    [
      'an exact copy of a column',
      { table: { columns: [column, column], rows: [{ id: 'A' }] } },
      '/table/columns/1/key',
      { table: { columns: [column], rows: [{ id: 'A' }] } },
    ],
    [
      'a field in a different case',
      { table: { columns: [column], rows: [] }, drawer: { titleKey: 'ID' } },
      '/drawer/titleKey',
      { table: { columns: [column], rows: [] }, drawer: { titleKey: 'id' } },
    ],
    [
      'a status in a different case',
      { scenario: { headline: 'A', control: 'B', approveTo: 'New' }, statuses },
      '/scenario/approveTo',
      { scenario: { headline: 'A', control: 'B', approveTo: 'new' }, statuses },
    ],
    [
      'a shortcut at the end of the placeholder',
      { search: { placeholder: 'Номер или тема (Ctrl+K)' } },
      '/search/placeholder',
      { search: { placeholder: 'Номер или тема' } },
    ],
    [
      'two shortcuts at the end of the placeholder',
      { search: { placeholder: 'Search — ⌘K / Ctrl + K' } },
      '/search/placeholder',
      { search: { placeholder: 'Search' } },
    ],
    [
      'invisible characters',
      { user: { name: '\u202eAd\u200bmin', role: 'A' } },
      '/user/name',
      { user: { name: 'Admin', role: 'A' } },
    ],
    [
      'a placeholder that consists of a shortcut',
      { search: { placeholder: '⌘K' } },
      '/search/placeholder',
      { search: {} },
    ],
  ])('fixes %s', async (_title, wrong, path, right) => {
    const found = await findAt(screen(wrong), path);
    expect(found.length).toBeGreaterThan(0);
    for (const { fix } of found) {
      expect(fix && applyFix(screen(wrong), fix)).toEqual(screen(right));
    }
    expect(await findAt(screen(right), path)).toEqual([]);
  });
});

describe('a finding without one correct fix', () => {
  it.each([
    [
      'a name that is similar to two others',
      { nav: [{ label: 'A', iconview: 'b' }] },
      '/nav/0/iconview',
    ],
    [
      'a name that is longer than the known one',
      { kpis: [{ value: '1', label: 'A', hintLong: 'b' }] },
      '/kpis/0/hintLong',
    ],
    [
      'two misspelt forms of the same name',
      { kpis: [{ value: '1', label: 'A', hnit: 'b', hintt: 'c' }] },
      '/kpis/0/hnit',
    ],
    [
      'a misspelt form of a name that is in use',
      { kpis: [{ value: '1', label: 'A', hint: 'b', hnit: 'c' }] },
      '/kpis/0/hnit',
    ],
    [
      'a misspelt name whose value has a different type',
      { kpis: [{ value: '1', label: 'A', hnit: ['c'] }] },
      '/kpis/0/hnit',
    ],
    [
      'a name with an additional word',
      { kpis: [{ value: '1', label: 'A', hint_of_all: 'c' }] },
      '/kpis/0/hint_of_all',
    ],
    ['$schema', { $schema: 'https://example.com/screen.json' }, '/$schema'],
    ['a required property that is null', { product: { name: null, entity: 'b' } }, '/product/name'],
    [
      'a word with different letters',
      { statuses: { a: { label: 'A', tone: 'warning' } } },
      '/statuses/a/tone',
    ],
    [
      'layout in a definition with an invalid archetype',
      { layout: 'queue', archetype: 5 },
      '/layout',
    ],
    [
      'two different columns with the same key',
      { table: { columns: [column, { ...column, label: 'B' }], rows: [] } },
      '/table/columns/1/key',
    ],
    [
      'a cell',
      {
        statuses,
        table: {
          columns: [{ key: 'a', label: 'A', type: 'status', values: ['new'] }],
          rows: [{ a: 'New' }],
        },
      },
      '/table/rows/0/a',
    ],
    [
      'a shortcut in the middle of the placeholder',
      { search: { placeholder: 'Press Ctrl+K to search' } },
      '/search/placeholder',
    ],
    [
      'a text that consists of an invisible character',
      { user: { name: '\u200b', role: 'A' } },
      '/user/name',
    ],
    [
      'a text with a control character',
      { user: { name: 'A\u0007\u200b', role: 'A' } },
      '/user/name',
    ],
    [
      'an invisible character in a name and in its reference',
      {
        statuses: { 'a\u200b': { label: 'A', tone: 'ok' } },
        scenario: { headline: 'A', control: 'B', approveTo: 'a\u200b' },
      },
      '/scenario/approveTo',
    ],
    [
      'an invisible character in a name',
      { statuses: { 'a\u200b': { label: 'A', tone: 'ok' } } },
      '/statuses/a\u200b',
    ],
    [
      'a block of a different archetype',
      { archetype: 'queue', inbox: { bodyKey: 'id' }, table: { columns: [column], rows: [] } },
      '/inbox',
    ],
  ])('does not fix %s', async (_title, more, path) => {
    const { fix } = await findOne({ product, ...more }, path);
    expect(fix).toBeUndefined();
  });

  it('suggests a similar word', async () => {
    const nav = [{ label: 'A', view: 'registri' }];
    const { suggestions } = await findOne({ product, nav }, '/nav/0/view');
    expect(suggestions?.map(({ title }) => title)).toEqual(['Replace with "registry"']);
  });

  it('fixes a property in an object whose name is too long for a pointer', async () => {
    const long = `hint${'t'.repeat(300)}`;
    const { findings } = await checkScreen(
      JSON.stringify({ product, statuses: { [long]: { label: 'A', tone: 'ok', dmi: true } } }),
      {},
    );
    const found = findings.find(({ rule }) => rule === 'unknown-property');
    const text = JSON.stringify({
      product,
      statuses: { [long]: { label: 'A', tone: 'ok', dim: true } },
    });
    const wrong = text.replace('"dim"', '"dmi"');
    const changes = textEdits(wrong, found?.fix?.edits ?? []);
    expect(changes && applyTextEdits(wrong, changes)).toBe(text);
  });
});

describe('the fixes and suggestions of the rules', () => {
  it('can all be applied, and each removes its finding', async () => {
    let remedies = 0;
    for (const rule of allRules) {
      const definition = { product, ...rule.examples().bad };
      const text = JSON.stringify(definition, null, 2);
      const { findings, counts } = await checkScreen(text, {});
      for (const { rule: id, path, fix, suggestions = [], message } of findings) {
        for (const { title, edits } of fix ? [fix, ...suggestions] : suggestions) {
          remedies += 1;
          const changes = textEdits(text, edits);
          expect({ id, title, changes }).not.toEqual({ id, title, changes: undefined });
          const after = await checkScreen(applyTextEdits(text, changes ?? []), {});
          const same = after.findings.filter(
            (each) => each.rule === id && each.path === path && each.message === message,
          );
          expect({ id, title, same, errors: after.counts.errors }).toEqual({
            id,
            title,
            same: [],
            errors: counts.errors,
          });
        }
      }
    }
    expect(remedies).toBeGreaterThan(15);
  });
});
