// Installs the tools for comparisons, which only the benchmarks use (bench/package.json).
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const bench = fileURLToPath(new URL('..', import.meta.url));

/** Installs missing tools into bench/node_modules. */
export function installTools() {
  const wanted = ['ajv-cli', '@sourcemeta/jsonschema', 'react-dom'];
  if (wanted.every((name) => existsSync(`${bench}node_modules/${name}`))) return;
  const { status } = spawnSync('npm', ['ci'], { cwd: bench, stdio: 'inherit' });
  if (status !== 0)
    throw new Error('npm ci failed in bench/. It installs the tools to compare with.');
}
