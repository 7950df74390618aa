// Prints, as JSON, the steps of checking and drawing definitions in which one part grows: each list and map of the
// schema, and all texts and unknown names of a block. Requires a build.
import { startCounting } from './count-steps.mjs';
import { archetypeOf, blocks, growingThings, grownDefinition } from './screen-sizes.mjs';

const root = new URL('../../dist/src/screens/', import.meta.url);
const counter = startCounting((url) => url.startsWith(new URL('../', root).href));
const load = (path) => import(new URL(path, root).href);
const { checkScreen } = await load('check/check-text.js');
const { renderScreen } = await load('render/render-screen.js');
const { archetypeBlocks } = await load('normalise/archetype.js');
const { createPrettyReporter } = await load('reporters/pretty.js');
const { createSarifReporter } = await load('reporters/sarif.js');

/** Sizes, each twice the previous one. Many texts and names grow together. */
const sizes = {
  items: [40, 80, 160],
  entries: [40, 80, 160],
  names: [15, 30, 60],
  text: [25, 50, 100],
};

/** Maximum number of findings that are described. Searching for similar names would dominate the counts. */
const most = 5;

const plain = (text) => text;
const colors = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain, cyan: plain };

async function check(definition) {
  const checked = await checkScreen(JSON.stringify(definition), { most });
  const report = { file: 'a.json', readable: true, ...checked };
  for (const reporter of [createPrettyReporter({ colors, width: 80 }), createSarifReporter('1')]) {
    reporter.file(report);
  }
}

async function measure(name, things, work, ways) {
  const [{ kind }] = things;
  const steps = [];
  for (const size of sizes[kind]) {
    const definition = grownDefinition(things, size, ways);
    const counts = await counter.stepsOf(() => work(definition));
    steps.push([...counts.values()].reduce((sum, count) => sum + count, 0));
  }
  process.stdout.write(`${JSON.stringify({ name, steps })}\n`);
}

const things = growingThings();
for (const block of blocks) {
  const archetype = archetypeOf(block, archetypeBlocks);
  const own = things.filter(({ path }) => path[0] === block);
  const groups = [
    ...own.filter(({ kind }) => kind === 'items' || kind === 'entries').map((thing) => [thing]),
    own.filter(({ kind }) => kind === 'names'),
    own.filter(({ kind }) => kind === 'text'),
  ];
  for (const group of groups) {
    if (group.length === 0) continue;
    const [{ path, kind }] = group;
    const name = `${kind} of ${group.length === 1 ? path.join('/') : block}`;
    await measure(`check ${name}`, group, check, { manner: 'mixed', archetype });
    await measure(`draw ${name}`, group, renderScreen, { manner: 'mixed', archetype });
  }
}
