import { execFileSync, spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, readdir, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commands } from '../../commands/registry.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('the npm package contains only the files that the program needs, and runs when unpacked', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'msgsite-package-'));
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const printed = JSON.parse(execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }));
  // The output is a list of packages or, since npm 12, an object by package name.
  // biome-ignore lint/suspicious/noExplicitAny: npm defines the shape, and assertions cover the members that are read.
  const [packed] = Object.values<any>(printed);
  const files: string[] = packed.files.map(({ path }: { path: string }) => path);
  const allowed =
    /^(README\.md|LICENSE|NOTICE|package\.json|webhooks\.json|bin\/(msgsite\.js|package\.json)$|(public|schemas)\/|dist\/(main\.js$|validate-screen\.cjs$|chunks\/|screen-assets\/|src\/[\w/-]+\.sql$))/;
  expect(files.filter((file) => !allowed.test(file))).toEqual([]);

  execFileSync('tar', ['xzf', join(folder, packed.filename), '-C', folder]);
  await symlink(join(root, 'node_modules'), join(folder, 'package/node_modules'));
  const run = (...argv: string[]) =>
    spawnSync(process.execPath, [join(folder, 'package/bin/msgsite.js'), ...argv], {
      cwd: folder,
      encoding: 'utf8',
    });
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  expect(run('--version').stdout).toBe(`${version}\n`);
  // Selects one command of each group, because each group is a chunk of the bundle.
  const one = new Map(commands.map(({ path }) => [path.split(' ')[0], path]));
  for (const path of one.values()) {
    expect(run(...path.split(' '), '--help').status, path).toBe(0);
  }
  const queue = join(root, 'test/screens/valid/queue');
  expect(run('validate-screen', queue).status).toBe(0);
  // These are enough files to start worker threads.
  const [name = ''] = await readdir(queue);
  const copies = Array.from({ length: 400 }, (_, index) => join(folder, `${index}.screen.json`));
  await Promise.all(copies.map((copy) => copyFile(join(queue, name), copy)));
  expect(run('validate-screen', ...copies).status).toBe(0);
});

test('NOTICE contains the licences of all bundled packages', async () => {
  const [committed, built] = await Promise.all(
    ['NOTICE', 'dist/notice.txt'].map((file) => readFile(join(root, file), 'utf8')),
  );
  expect(committed, 'Copy dist/notice.txt to NOTICE and commit it.').toBe(built);
});
