// npm run bench [name…]: runs the benchmarks in sequence, prints their ratios with their aims and writes
// bench/results/<name>.json. Only ratios are compared, because absolute times depend on the machine.
import { mkdir, readdir, writeFile } from 'node:fs/promises';

const folder = new URL('.', import.meta.url);
const all = (await readdir(folder))
  .filter((file) => file.endsWith('.mjs') && file !== 'run.mjs')
  .map((file) => file.replace('.mjs', ''));
/** Benchmarks that run only by name, because they take an hour. */
const onlyNamed = ['soak'];
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown benchmark: ${unknown.join(', ')}. Known benchmarks: ${all.join(', ')}`);
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

/**
 * Formats a row, which has a `ratio` with an `aim` (a minimum, or a maximum if `atMost` is set), or only a `report`.
 */
function line({ name, ratio, aim, atMost, ratios = [], report }) {
  if (ratio === undefined) return `  ·  ${name}: ${report}`;
  if (aim === undefined) return `  ·  ${name}: ${ratio.toFixed(2)} × (${ratios.join(', ')})`;
  const reached = atMost ? ratio <= aim : ratio >= aim;
  const bound = `${atMost ? 'at most' : 'at least'} ${aim} ×`;
  const rounds = ratios.length > 0 ? `; rounds ${ratios.join(', ')}` : '';
  return `  ${reached ? '✓' : '✗'}  ${name}: ${ratio.toFixed(2)} × (aim ${bound}${rounds})`;
}
