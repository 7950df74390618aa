// npm run bench [name…]: runs the benchmarks one after another, prints their ratios beside what they
// aim at and writes bench/results/<name>.json. Absolute times say little: only ratios are compared.
import { mkdir, readdir, writeFile } from 'node:fs/promises';

const folder = new URL('.', import.meta.url);
const all = (await readdir(folder))
  .filter((file) => file.endsWith('.mjs') && file !== 'run.mjs')
  .map((file) => file.replace('.mjs', ''));
/** Takes an hour: only where it is named. */
const onlyNamed = ['soak'];
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. Known: ${all.join(', ')}`);
  process.exit(2);
}
await mkdir(new URL('results/', folder), { recursive: true });
for (const name of wanted.length > 0 ? wanted : all.filter((each) => !onlyNamed.includes(each))) {
  const { run } = await import(new URL(`${name}.mjs`, folder));
  const rows = await run();
  for (const row of rows) console.log(line(row));
  const file = new URL(`results/${name}.json`, folder);
  await writeFile(file, `${JSON.stringify({ node: process.version, rows }, null, 2)}\n`);
}

/** A row has `ratio` and `aim` ("at least", or with `atMost` "at most"), or a `report` alone. */
function line({ name, ratio, aim, atMost, ratios = [], report }) {
  if (ratio === undefined) return `  ·  ${name}: ${report}`;
  if (aim === undefined) return `  ·  ${name}: ${ratio.toFixed(2)} × (${ratios.join(', ')})`;
  const reached = atMost ? ratio <= aim : ratio >= aim;
  const bound = `${atMost ? 'at most' : 'at least'} ${aim} ×`;
  const rounds = ratios.length > 0 ? `; rounds ${ratios.join(', ')}` : '';
  return `  ${reached ? '✓' : '✗'}  ${name}: ${ratio.toFixed(2)} × (aim ${bound}${rounds})`;
}
