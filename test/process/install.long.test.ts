import { spawnSync } from 'node:child_process';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { makeTempFolder } from '../helpers/temp-folder.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

async function readJson(file: string) {
  return JSON.parse(await readFile(join(root, file), 'utf8'));
}

it('package.json allows install scripts for exactly the locked packages that have any', async () => {
  const { packages } = await readJson('package-lock.json');
  const names = Object.entries(packages)
    .filter(([, entry]) => (entry as { hasInstallScript?: boolean }).hasInstallScript)
    .map(([path]) => path.split('node_modules/').at(-1) ?? '');
  const { allowScripts } = await readJson('package.json');
  expect(allowScripts).toEqual(Object.fromEntries(names.map((name) => [name, true])));
});

it('the lock file contains no deprecated package', async () => {
  const { packages } = await readJson('package-lock.json');
  const old = Object.entries(packages).filter(([, entry]) => 'deprecated' in (entry as object));
  expect(old).toEqual([]);
});

it('npm ci accepts package.json, .npmrc and the lock file without a warning', async () => {
  const folder = await makeTempFolder();
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
    await copyFile(join(root, file), join(folder, file));
  }
  // Ignores the npm settings of this machine.
  const own = ['--userconfig', join(folder, 'user'), '--globalconfig', join(folder, 'global')];
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier'];
  const words = ['ci', '--dry-run', '--ignore-scripts', '--offline', ...quiet, ...own];
  const { PATH = '' } = process.env;
  const installed = spawnSync('npm', [...words, '--cache', join(folder, 'cache')], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH, HOME: folder },
  });
  expect(installed).toMatchObject({ status: 0, stderr: '' });
});
