// Other people's tools to compare with: they belong to the benchmarks alone (bench/package.json).
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const bench = fileURLToPath(new URL('..', import.meta.url));

/** Installs them into bench/node_modules where one of them is missing. */
export function installTools() {
  const wanted = ['ajv-cli', '@sourcemeta/jsonschema', 'react-dom'];
  if (wanted.every((name) => existsSync(`${bench}node_modules/${name}`))) return;
  const { status } = spawnSync('npm', ['ci'], { cwd: bench, stdio: 'inherit' });
  if (status !== 0) throw new Error('The tools to compare with could not be installed (npm ci).');
}
