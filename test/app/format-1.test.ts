import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, it, vi } from 'vitest';
import { bringOver } from '../../src/app/bring-over.js';
import { folderRecords } from '../../src/app/data-records.js';
import { formatOf } from '../../src/app/folder-format.js';
import { readFormat1 } from '../../src/app/format-1/format-1.js';
import { systemFiles } from '../../src/base/files/file-layer.js';
import type { Logger } from '../../src/base/log.js';
import type { RecordReader } from '../../src/base/records.js';
import { entryOf } from '../../src/transfer/record-stream.js';
import { createApiClient } from '../helpers/api-client.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { startTestServer } from '../helpers/test-server.js';

const fixtures = fileURLToPath(new URL('../fixtures/format-1/', import.meta.url));

/** Returns the records that the version that wrote a folder exported, and the time. */
async function exported(name: string) {
  const text = gunzipSync(await readFile(`${fixtures}${name}.jsonl.gz`)).toString('utf8');
  const [header = '', ...lines] = text.trimEnd().split('\n');
  // The last line counts the lines before it. Deliveries use another word for the time of their event.
  const named = lines.slice(0, -1).map((line) => line.replace('"arisenAt":', '"occurredAt":'));
  return { at: Date.parse(JSON.parse(header).at), lines: named };
}

async function linesOf(readers: readonly RecordReader[]): Promise<string[]> {
  const lines: string[] = [];
  for (const { kind, read } of readers) {
    for await (const record of read()) lines.push(entryOf(kind, record).line);
  }
  return lines;
}

async function copyOf(name: string): Promise<string> {
  const data = join(await makeTempFolder(), 'data');
  await cp(join(fixtures, name), data, { recursive: true });
  return data;
}

it.each(['stopped', 'killed'])(
  'a folder of format 1 that was %s is read as its own version exported it',
  async (name) => {
    const { at, lines } = await exported(name);
    expect(await linesOf(readFormat1(join(fixtures, name), at))).toEqual(lines);
  },
);

it.each(['stopped', 'killed'])(
  'a folder of format 1 that was %s is converted completely, even after an interruption at any step',
  async (name) => {
    const { at, lines } = await exported(name);
    // Some of the renames, or every one on request.
    const stride = process.env.MSGSITE_TEST_EVERY_STEP !== undefined ? 1 : 4;
    const first = 1 + Math.floor(Math.random() * stride);
    for (let cut = first, isCut = true; isCut; cut += stride) {
      const data = await copyOf(name);
      const { rename } = systemFiles;
      let renamed = 0;
      const failing = vi.spyOn(systemFiles, 'rename').mockImplementation((from, to) => {
        renamed += 1;
        return renamed < cut ? rename(from, to) : Promise.reject(new Error('The power is off.'));
      });
      isCut = await bringOver(data, at).then(
        () => false,
        () => true,
      );
      failing.mockRestore();
      await bringOver(data, at);
      expect(await formatOf(data)).toBe('ours');
      expect(await linesOf(folderRecords(data).readers(at)), `cut ${cut}`).toEqual(lines);
    }
  },
);

it('serve converts a folder of format 1, unnoticed by clients', async () => {
  const data = await copyOf('stopped');
  // The leftovers of an earlier attempt.
  await mkdir(join(data, 'format-2', 'messaging'), { recursive: true });
  const known = JSON.parse(await readFile(`${fixtures}known.json`, 'utf8'));
  const env = { MSGSITE_DATABASE: '' };
  const server = await startTestServer({ data, env, clock: createManualClock(known.at) });
  const api = await createApiClient(server.site);
  const { path, message } = known.keyed;
  const headers = { 'Idempotency-Key': 'the same again' };
  const body = { text: 'once and \u0000 only \uf8f0 once' };
  const again = await api('POST', path, { token: known.user, body, headers });
  expect(again.body.message).toEqual(message);
  expect((await api('GET', '/api/chats', { token: known.revoked })).status).toBe(401);
  await server.close();
  expect(await formatOf(data)).toBe('ours');
});

it.each([
  'messaging/messages/chats/01/1.jsonl',
  'payments/ended/2026-11-22/qr-1795348109.json',
  'payments/sessions/kept/',
  'webhooks/delivered/',
  'sandbox/operations/kept/',
])('a damaged %s of format 1 is set aside, and everything else is converted', async (start) => {
  const { at, lines } = await exported('stopped');
  const data = await copyOf('stopped');
  const files = await readdir(data, { recursive: true });
  const name = files.find((each) => each.startsWith(start) && /\.jsonl?$/.test(each)) ?? '';
  const text = await readFile(join(data, name), 'utf8');
  await writeFile(join(data, name), text.replace('{', '!'));
  const told: object[] = [];
  const log = { error: (facts: object) => told.push(facts) } as unknown as Logger;
  await bringOver(data, at, log);
  const left = await linesOf(folderRecords(data).readers(at));
  expect(lines).toEqual(expect.arrayContaining(left));
  expect(left.length).toBe(lines.length - 1);
  const kept = join(data, 'damaged', `${name}.1`);
  expect(await readFile(kept, 'utf8')).toMatch(/^!/);
  expect(told).toMatchObject([{ file: join(data, name), kept }]);
});

it.each(['site.json', 'messaging/users.1.jsonl', 'messaging/revoked-tokens.1.jsonl'])(
  'a damaged %s of format 1 prevents the start, and the folder stays unchanged',
  async (name) => {
    const { at } = await exported('stopped');
    const data = await copyOf('stopped');
    const path = join(data, name);
    await writeFile(path, (await readFile(path, 'utf8')).replace(/[{[]/, '!'));
    const hint = expect.stringContaining('from a backup');
    await expect(bringOver(data, at)).rejects.toMatchObject({ code: 'data_damaged', hint });
    expect(await formatOf(data)).toBe('older');
  },
);
