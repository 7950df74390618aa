import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkContract } from '../../src/screens/check/contract.js';
import { gatherProblems } from '../../src/screens/findings/gather.js';
import { closePages, openBrowser } from '../helpers/browser.js';
import { readCorpus } from './corpus.js';
import { archetypes, definitionOf } from './layout/definitions.js';
import { openJudge } from './layout/judge.js';

let browser: Browser;
let judge: Awaited<ReturnType<typeof openJudge>>['judge'];
beforeAll(async () => {
  browser = await openBrowser();
  ({ judge } = await openJudge(browser));
});
afterAll(closePages);

/**
 * By default, the test uses one definition of each archetype, with texts of all sizes and kinds. The following command
 * runs a longer search with more seeds and the corpus. With a single seed, it repeats a failure:
 * LAYOUT_SEEDS=40 LAYOUT_FIRST_SEED=100 npx vitest run test/screens-render/layout.browser.long.test.ts
 */
const { LAYOUT_SEEDS: seeds, LAYOUT_FIRST_SEED: firstSeed = 0 } = process.env;

const generated = archetypes.flatMap((archetype, index) =>
  seedsOf(index).map((seed) => {
    const definition = definitionOf(archetype, seed);
    return { name: `${archetype}, seed ${seed}`, archetype, seed, definition, turn: index + seed };
  }),
);

function seedsOf(archetype: number): readonly number[] {
  if (seeds === undefined) return [archetype];
  return Array.from({ length: Number(seeds) }, (_, index) => Number(firstSeed) + index);
}

describe('a definition at the limits of the schema', () => {
  it.each(generated)('is valid and reproducible: $name', ({ archetype, seed, definition }) => {
    const { problems } = gatherProblems((add) => checkContract(definition, add));
    expect(problems).toEqual([]);
    expect(definitionOf(archetype, seed)).toEqual(definition);
  });

  it.each(generated)(
    'is drawn without a layout fault: $name',
    async ({ turn, name, definition }) => {
      expect(await judge({ name, definition }, turn)).toEqual([]);
    },
  );
});

describe.runIf(seeds !== undefined)('a definition of the corpus', () => {
  it.each(readCorpus().map((screen, turn) => ({ ...screen, turn })))(
    'is drawn without a layout fault: $name',
    async ({ turn, ...judged }) => {
      expect(await judge(judged, turn)).toEqual([]);
    },
  );
});
