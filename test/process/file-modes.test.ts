import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startServe } from '../helpers/msgsite-process.js';

test('serve writes files that only its user can read, even in a folder that others can read', async () => {
  const data = await mkdtemp(join(tmpdir(), 'msgsite-modes-'));
  onTestFinished(() => rm(data, { recursive: true }));
  await chmod(data, 0o755);
  const serving = await startServe(['--data', data, '--demo']);
  const register = { username: 'Ann', email: 'ann@shop.kz', password: 'apricot and walnut' };
  await fetch(`${serving.site}/api/auth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(register),
  });
  await fetch(`${serving.gateway}/api/auth/init`, { method: 'POST' });
  await serving.end('SIGTERM');
  const names = await readdir(data, { recursive: true });
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) {
    expect([name, (await stat(join(data, name))).mode & 0o077]).toEqual([name, 0]);
  }
});
