// Measures how the processor time of checking and drawing a definition grows with each list and map of the schema, per
// doubling, up to sixteen times as many items. test/screens/linear-work.long.test.ts counts the steps of the same work.

import { checkScreen } from '../dist/src/screens/check/check-text.js';
import { archetypeBlocks } from '../dist/src/screens/normalise/archetype.js';
import { renderScreen } from '../dist/src/screens/render/render-screen.js';
import { median } from './lib/load.mjs';
import { archetypeOf, growingThings, grownDefinition } from './lib/screen-sizes.mjs';

/** Initial number of items, and the number of doublings. */
const first = 1_000;
const doublings = 4;

/** The limit is above 2 because garbage collection grows a little faster than linearly. */
const steepest = 2.5;

/** Number of rows that are shown for each kind of work, slowest first. */
const shown = 5;

export async function run() {
  const rows = [];
  for (const [verb, work] of Object.entries({ checking, drawing })) {
    const found = [];
    for (const thing of growingThings()) {
      if (thing.kind !== 'items' && thing.kind !== 'entries') continue;
      const archetype = archetypeOf(thing.path[0], archetypeBlocks);
      found.push({ name: thing.path.join('/'), ...(await growthOf(thing, archetype, work)) });
    }
    found.sort((a, b) => b.ratio - a.ratio);
    for (const { name, ratio, seconds } of found.slice(0, shown)) {
      const title = `${verb}, twice as much of ${name} (at most ${seconds.toFixed(2)} s)`;
      rows.push({ name: title, ratio, aim: steepest, atMost: true });
    }
  }
  return rows;
}

function checking(definition) {
  const text = JSON.stringify(definition);
  return () => checkScreen(text, {});
}

function drawing(definition) {
  return () => renderScreen(definition);
}

/** Returns the factor per doubling between the smallest and the largest definition. */
async function growthOf(thing, archetype, work) {
  const secondsAt = (size) =>
    secondsOf(work(grownDefinition(thing, size, { manner: 'mixed', archetype })));
  const small = await secondsAt(first);
  const seconds = await secondsAt(first * 2 ** doublings);
  return { ratio: (seconds / small) ** (1 / doublings), seconds };
}

/** Returns the seconds of processor time, the median of three. */
async function secondsOf(work) {
  const times = [];
  for (let round = 0; round < 3; round += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1e6);
  }
  return median(times);
}
