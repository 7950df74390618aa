import { execFileSync, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { startServe } from '../../helpers/msgsite-process.js';
import { createEmptyDatabase } from '../../helpers/test-database.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const notOfTheSources = new Set(['.git', 'bench', 'data', 'dist', 'node_modules']);

/** A path with non-ASCII letters and with characters that have a meaning in URLs, globs or shells. */
const path = `мой магазин/msg site (2) [a] #1 100% 'b' "c" {d}?`;

describe(`a checkout in ${path}`, () => {
  let checkout: string;
  let program: string;

  beforeAll(async () => {
    checkout = join(await mkdtemp(join(tmpdir(), 'msgsite-')), path);
    await mkdir(checkout, { recursive: true });
    for (const name of await readdir(root)) {
      if (notOfTheSources.has(name)) continue;
      await cp(join(root, name), join(checkout, name), { recursive: true });
    }
    await symlink(join(root, 'node_modules'), join(checkout, 'node_modules'));
    execFileSync(process.execPath, [join(checkout, 'scripts/build.mjs')], { stdio: 'pipe' });
    program = join(checkout, 'bin/msgsite.js');
  });

  const run = (...argv: string[]) =>
    spawnSync(process.execPath, [program, ...argv], { cwd: checkout, encoding: 'utf8' });

  it('builds the program, which loads every command', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    expect(run('--version').stdout).toBe(`${version}\n`);
    expect(run('completion', 'bash')).toMatchObject({ status: 0, stderr: '' });
  });

  it('checks and renders screens, including in worker threads', async () => {
    const folder = join(checkout, 'test/screens/valid/queue');
    const [name = ''] = await readdir(folder);
    const copies = join(checkout, 'many');
    await mkdir(copies);
    for (let index = 0; index < 400; index += 1) {
      await cp(join(folder, name), join(copies, `${index}.screen.json`));
    }
    expect(run('validate-screen', folder, copies)).toMatchObject({ status: 0, stderr: '' });
    expect(run('render-screen', join(folder, name), '-o', 'page.html').status).toBe(0);
    expect(await readFile(join(checkout, 'page.html'), 'utf8')).toContain('<!doctype html>');
  });

  it.each(['files', 'a database'])('serves its pages and stores accounts in %s', async (kind) => {
    const database = kind === 'files' ? {} : { MSGSITE_DATABASE: await createEmptyDatabase() };
    const serving = await startServe(['--demo'], { cwd: checkout, program, env: database });
    for (const page of ['/', '/admin.html', '/app.js', '/openapi.json']) {
      expect((await fetch(serving.site + page)).status, page).toBe(200);
    }
    const registered = await fetch(`${serving.site}/api/auth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ username: 'A', email: 'a@shop.kz', password: 'apricot and walnut' }),
    });
    expect(registered.status).toBe(201);
    expect(await serving.end('SIGTERM')).toBe(0);
  });
});
