// node_modules/postgres -> dist/postgres.js: the PostgreSQL client with three mends that its releases do not
// have yet. Without them a connection that is lost at the wrong moment ends the process, and one that comes
// back sends nothing (docs/decisions/0025). Goes when a release has them.
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { build } from 'esbuild';

/** What stands in the client, and what is built instead: each has to be found exactly once. */
const mends = [
  {
    // A transaction goes on with a connection that is gone: its statement fails, and nothing is written.
    found: `    if (terminated)
      return queryError(q, Errors.connection('CONNECTION_DESTROYED', options))`,
    built: `    if (terminated || !socket)
      return queryError(q, Errors.connection('CONNECTION_DESTROYED', options))`,
  },
  {
    // What was to be sent on the lost connection is not sent on the next one, which can send again.
    found: `    clearImmediate(nextWriteTimer)
    socket.removeListener('data', data)`,
    built: `    clearImmediate(nextWriteTimer)
    nextWriteTimer = chunk = null
    socket.removeListener('data', data)`,
  },
  {
    // That the types cannot be asked for fails the statement that waits for them, which is enough.
    found: '        return fetchArrayTypes()',
    built: '        return fetchArrayTypes().catch(noop)',
  },
];

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
    onLoad({ filter: /[\\/]postgres[\\/]src[\\/]connection\.js$/ }, async ({ path }) => ({
      contents: mends.reduce(mend, await readFile(path, 'utf8')),
    }));
  },
};

function mend(code, { found, built }) {
  const parts = code.split(found);
  if (parts.length === 2) return parts.join(built);
  throw new Error('postgres has changed: look again at what scripts/build-postgres.mjs mends.');
}
