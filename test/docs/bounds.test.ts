import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('docs/operate/bounds.md is up to date and describes every limit in the code', () => {
  const script = fileURLToPath(new URL('../../scripts/list-bounds.mjs', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});

test('docs/operate/bounds.md lists constants whose names begin with max', async () => {
  const page = await readFile(new URL('../../docs/operate/bounds.md', import.meta.url), 'utf8');
  expect(page).toContain('`maxMembers` in `src/messaging/chats.ts`');
});
