// Compares validate-screen with an empty Node.js process, ajv-cli and the sourcemeta jsonschema CLI (both
// installed into bench/node_modules on demand): one file from a cold start, 1,000 files of 27 KB, and 1,000 of
// 3 KB. Most definitions are that small, and many of them show the cost of each file and each finding.
import { execFile, spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { compare } from './lib/load.mjs';
import { makeQueue } from './lib/screens.mjs';
import { withTemporary } from './lib/temporary.mjs';
import { installTools } from './lib/tools.mjs';

const bench = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('..', import.meta.url));
const schema = `${root}schemas/screen.schema.json`;
const ours = ['node', `${root}bin/msgsite.js`, 'validate-screen'];
const ajv = ['node', `${bench}node_modules/ajv-cli/dist/index.js`, 'validate', '-s', schema];
const sourcemeta = [
  'node',
  `${bench}node_modules/@sourcemeta/jsonschema/npm/cli.js`,
  'validate',
  schema,
];

/** Numbers of rows of a queue in a file of about 27 KB, and of about 3 KB with a line for each member. */
const rowsOf27Kb = 155;
const rowsOf3Kb = 6;

export async function run() {
  installTools();
  return withTemporary(async ({ folder }) => {
    const many = await writeFiles(join(folder, 'many'), 1_000);
    const warned = await writeFiles(join(folder, 'warned'), 1_000, { change: withWarnings });
    const ofSmall = { rows: rowsOf3Kb, indent: 1 };
    const small = await writeFiles(join(folder, 'small'), 1_000, ofSmall);
    const mistyped = await writeFiles(join(folder, 'mistyped'), 1_000, {
      ...ofSmall,
      change: withSlips,
    });
    const one = join(many, '0.screen.json');
    const cold = { rounds: 12 };
    const warm = { rounds: 3 };
    return [
      {
        name: 'one file, cold, compared with node -e 0',
        // Node.js 20 has no cache of compiled code, but also starts an empty process more slowly.
        aim: process.version.startsWith('v20.') ? 1.6 : 1.8,
        atMost: true,
        ...(await race([...ours, one], ['node', '-e', '0'], cold)),
      },
      {
        name: 'one file, cold: ajv-cli compared with validate-screen',
        aim: 3,
        ...(await race([...ajv, '-d', one], [...ours, one], cold)),
      },
      {
        name: '1,000 files of 27 KB: ajv-cli compared with validate-screen',
        aim: 3,
        ...(await race([...ajv, '-d', `${many}/*.json`], [...ours, many], warm)),
      },
      {
        name: '1,000 files of 27 KB: jsonschema compared with validate-screen',
        aim: 1,
        ...(await race([...sourcemeta, many], [...ours, many], warm)),
      },
      {
        name: '1,000 files of 27 KB with 12 findings each: ajv-cli compared with validate-screen',
        aim: 1.5,
        ...(await race([...ajv, '-d', `${warned}/*.json`], [...ours, warned], warm)),
      },
      {
        name: '1,000 files of 27 KB with 12 findings each: jsonschema compared with validate-screen',
        aim: 0.5,
        ...(await race([...sourcemeta, warned], [...ours, warned], warm)),
      },
      {
        name: '1,000 files of 3 KB: ajv-cli compared with validate-screen',
        aim: 1.5,
        ...(await race([...ajv, '-d', `${small}/*.json`], [...ours, small], warm)),
      },
      {
        name: '1,000 files of 3 KB with 4 warnings each: ajv-cli compared with validate-screen',
        aim: 1.5,
        ...(await race([...ajv, '-d', `${mistyped}/*.json`], [...ours, mistyped], warm)),
      },
      {
        name: '1,000 files of 3 KB with 4 warnings each: jsonschema compared with validate-screen',
        aim: 0.5,
        ...(await race([...sourcemeta, mistyped], [...ours, mistyped], warm)),
      },
      await timeOfSlowFiles(folder),
      {
        name: '1,000 files in a heap of 16 MB',
        report: (await passesIn(16, many)) ? 'passes: memory does not grow with files' : 'fails',
      },
    ];
  });
}

/** Writes the same queue to many files, each with a different purpose. */
async function writeFiles(
  folder,
  count,
  { rows = rowsOf27Kb, indent = 0, change = (queue) => queue } = {},
) {
  await mkdir(folder, { recursive: true });
  const queue = change(makeQueue(rows));
  for (let index = 0; index < count; index += 1) {
    const product = { ...queue.product, purpose: `Queue number ${index}` };
    const text = JSON.stringify({ ...queue, product }, null, indent);
    await writeFile(join(folder, `${index}.screen.json`), text);
  }
  return folder;
}

/** Returns the queue with typical warnings: unknown statuses, a field that nothing shows, impact metrics. */
function withWarnings(queue) {
  const rows = queue.table.rows.map((row, index) =>
    index % 30 === 0 ? { ...row, status: 'Done?', extra: index } : row,
  );
  const kpis = [
    { value: '1 %', label: 'ROI' },
    { value: '2', label: 'Hours saved' },
  ];
  const scenario = { ...queue.scenario, approveTo: 'nope' };
  return { ...queue, kpis, scenario, table: { ...queue.table, rows } };
}

/** Returns the queue with four errors: a property, a status, a field of a row and the title of the drawer. */
function withSlips(queue) {
  const [first, second, ...others] = queue.table.rows;
  const rows = [{ ...first, status: 'dne' }, { ...second, ownr: 'x' }, ...others];
  return {
    ...queue,
    kpis: queue.kpis.map((kpi, index) => (index === 0 ? { ...kpi, hnit: 'x' } : kpi)),
    table: { ...queue.table, rows },
    drawer: { ...queue.drawer, titleKey: 'subjct' },
  };
}

/** Returns the wall time of `first` as a multiple of `second`. */
async function race(first, second, rounds) {
  const { ratio, ratios } = await compare(
    () => timeOf(first),
    () => timeOf(second),
    rounds,
  );
  return { ratio, ratios };
}

async function timeOf([command, ...words]) {
  const start = performance.now();
  await promisify(execFile)(program(command), words, { maxBuffer: 64 * 1024 * 1024 });
  return performance.now() - start;
}

function program(command) {
  return command === 'node' ? process.execPath : command;
}

/** Maximum time for checking any file of 5 MB, in seconds. */
const maxSeconds = 5;

/** Measures deliberately slow files of 5 MB: a million errors on a line, and words that are almost correct. */
async function timeOfSlowFiles(folder) {
  const product = '"product":{"name":"x","entity":"y"}';
  const repeat = (count, make) => Array.from({ length: count }, (_, index) => make(index)).join();
  const statuses = repeat(2_000, (at) => `"status${at}":{"label":"s","tone":"ok"}`);
  const columns = '[{"key":"s","label":"S","type":"status","values":[]}]';
  const slow = {
    errors: `{${product},"nav":[${repeat(1_600_000, () => '{}')}]}`,
    keys: `{${product},"kpis":[{"value":"1","label":"a",${repeat(350_000, (at) => `"labex${at}":1`)}}]}`,
    statuses: `{${product},"statuses":{${statuses}},"table":{"columns":${columns},"rows":[${repeat(230_000, (at) => `{"s":"stauts${at}"}`)}]}}`,
    deep: '['.repeat(2_500_000) + ']'.repeat(2_500_000),
  };
  let slowest = 0;
  for (const [name, text] of Object.entries(slow)) {
    const file = join(folder, `${name}.json`);
    await writeFile(file, text);
    const start = performance.now();
    spawnSync(process.execPath, [...ours.slice(1), file], { stdio: 'ignore' });
    slowest = Math.max(slowest, (performance.now() - start) / 1000);
  }
  const verdict = slowest <= maxSeconds ? 'passes' : 'fails';
  return {
    name: `deliberately slow files of 5 MB, within ${maxSeconds} s`,
    report: `${verdict}: ${slowest.toFixed(1)} s at most`,
  };
}

/** Returns true if checking a folder succeeds in a heap of this many megabytes, which is too small for all reports. */
async function passesIn(megabytes, folder) {
  const words = [`--max-old-space-size=${megabytes}`, ...ours.slice(1), folder];
  try {
    await promisify(execFile)(process.execPath, words, { maxBuffer: 64 * 1024 * 1024 });
    return true;
  } catch {
    return false;
  }
}
