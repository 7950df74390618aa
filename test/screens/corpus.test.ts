import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkScreen } from '../../src/screens/check/check-text.js';
import { archetypes } from '../../src/screens/normalise/archetype.js';
import { normaliseScreen } from '../../src/screens/normalise/normalise.js';
import { allRules } from '../../src/screens/rules/all-rules.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const read = (...path: readonly string[]): string => readFileSync(join(here, ...path), 'utf8');

const valid = archetypes.flatMap((archetype) =>
  readdirSync(join(here, 'valid', archetype)).map((name) => ({ archetype, name })),
);

describe('the valid example definitions', () => {
  it.each(archetypes)(
    'includes examples of the archetype %s in at least two languages',
    (archetype) => {
      const names = valid.filter((one) => one.archetype === archetype).map(({ name }) => name);
      expect(names.length).toBeGreaterThanOrEqual(2);
      const languages = new Set(names.map((name) => /-(ru|kk|en)\.screen\.json$/.exec(name)?.[1]));
      expect(languages.size).toBeGreaterThanOrEqual(2);
    },
  );

  it.each(valid)(
    'has no findings for $archetype/$name, and shows it as its archetype',
    async (one) => {
      const text = read('valid', one.archetype, one.name);
      expect((await checkScreen(text, {})).findings).toEqual([]);
      const screen = normaliseScreen(JSON.parse(text));
      expect(screen.archetype).toBe(one.archetype);
      expect(screen.degradations).toEqual([]);
      expect(one.name).toContain(`-${screen.product.language}.screen.json`);
    },
  );
});

interface Expected {
  readonly rule: string;
  readonly severity: string;
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

async function findingsOf(text: string): Promise<readonly Expected[]> {
  const { findings } = await checkScreen(text, {});
  return findings.map(({ rule, severity, path, line, column }) => ({
    rule,
    severity,
    path,
    line,
    column,
  }));
}

describe('the invalid example definitions', () => {
  const names = readdirSync(join(here, 'invalid')).filter((name) => name.endsWith('.screen.json'));

  it.each(names)('reports the expected findings for %s', async (name) => {
    const expected: unknown = JSON.parse(
      read('invalid', name.replace('.screen.json', '.expected.json')),
    );
    const found = await findingsOf(read('invalid', name));
    expect(found).toEqual(expected);
    expect(found.some(({ severity }) => severity === 'error')).toBe(true);
  });
});

describe('the test folders of the rules', () => {
  it('include one folder for each rule and no other folders', () => {
    const ids = allRules.map(({ id }) => id);
    expect(readdirSync(join(here, 'rules')).sort()).toEqual([...ids].sort());
  });

  it.each(allRules.map(({ id }) => id))('contain the expected findings of %s', async (id) => {
    const expected: readonly Expected[] = JSON.parse(read('rules', id, 'expected.json'));
    expect(await findingsOf(read('rules', id, 'bad.screen.json'))).toEqual(expected);
    expect(expected.some(({ rule }) => rule === id)).toBe(true);
    const good = await findingsOf(read('rules', id, 'good.screen.json'));
    expect(good.filter(({ rule }) => rule === id)).toEqual([]);
  });

  it('are up to date, as is the page that describes the rules', () => {
    const script = fileURLToPath(new URL('../../scripts/screen-docs.mjs', import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [script, '--check'], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
  });
});
