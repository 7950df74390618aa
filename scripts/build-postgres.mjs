// node_modules/postgres -> dist/postgres.js: the PostgreSQL client with the mends of lib/postgres-mends.mjs.
// Without them a connection that is lost at the wrong moment ends the process, and several hosts do not work
// (docs/decisions/0025).
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { build } from 'esbuild';
import { mends } from './lib/postgres-mends.mjs';

/** `recorder` takes note of the packages that are folded in. */
export async function buildPostgres(root, recorder) {
  await build({
    entryPoints: [createRequire(`${root}/`).resolve('postgres').replace('/cjs/', '/')],
    outfile: `${root}/dist/postgres.js`,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    plugins: [recorder.plugin, mendClient],
    logLevel: 'warning',
  });
  await writeFile(`${root}/dist/postgres.d.ts`, types);
}

const types = "import postgres from 'postgres';\nexport default postgres;\n";

const mendClient = {
  name: 'mend-postgres',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]postgres[\\/]src[\\/][a-z]+\.js$/ }, async ({ path }) => ({
      contents: (mends[basename(path)] ?? []).reduce(mend, await readFile(path, 'utf8')),
    }));
  },
};

function mend(code, { found, built }) {
  const parts = code.split(found);
  if (parts.length === 2) return parts.join(built);
  throw new Error(
    `postgres has changed: look again at what scripts/lib/postgres-mends.mjs mends. It has to have, once:\n${found}`,
  );
}
