import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { encodeLine } from '../../src/storage/json/lines/lines.js';
import { createApiClient } from '../helpers/api-client.js';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { startTestServer } from '../helpers/test-server.js';

let prepared: string;

beforeAll(async () => {
  prepared = await mkdtemp(join(tmpdir(), 'msgsite-check-'));
  await populate(join(prepared, 'data'));
});

afterAll(() => rm(prepared, { recursive: true }));

/** Returns a copy of the folder that `populate` fills. */
async function prepare(): Promise<string> {
  const data = join(await makeTempFolder(), 'data');
  await cp(join(prepared, 'data'), data, { recursive: true });
  return data;
}

/** Creates a data folder with a product, an account, a group and three messages, as left by a stopped server. */
async function populate(data: string, env: Record<string, string> = {}): Promise<void> {
  const server = await startTestServer({ data, env });
  const api = await createApiClient(server.site);
  await api('POST', '/api/admin/products', { body: { name: 'Bread' } });
  const account = { username: 'A', email: 'a@x.kz', password: 'long enough' };
  const { token } = (await api('POST', '/api/auth/register', { body: account })).body;
  await api('POST', '/api/chats', { token, body: { type: 'group', name: 'g' } });
  for (const text of ['one', 'two', 'three']) {
    await api('POST', '/api/chats/1/messages', { token, body: { text } });
  }
  await server.close();
}

const check = (data: string, env: Record<string, string> = {}) =>
  runCli(['data', 'check', '--data', data, '--json'], { env });
const log = 'messaging/messages/chats/01/1.jsonl';

/** Edits the JSON of a line, and corrects its checksum if requested. */
async function editLine(
  path: string,
  line: number,
  edit: (text: string) => string,
  how?: 'with checksum',
): Promise<void> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  const [json = '', checksum] = (lines[line - 1] ?? '').split(',"crc":');
  const edited = edit(`${json}}`);
  lines[line - 1] = how
    ? encodeLine(edited).slice(0, -1)
    : `${edited.slice(0, -1)},"crc":${checksum}`;
  await writeFile(path, lines.join('\n'));
}

it('data check finds no faults after a clean stop, and changes no file', async () => {
  const data = await prepare();
  const before = await readdir(data, { recursive: true });
  const { exitCode, stdout } = await check(data);
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, findings: [] });
  expect(exitCode).toBe(0);
  expect(await readdir(data, { recursive: true })).toEqual(before);
  const human = await runCli(['data', 'check', '--data', data]);
  expect([human.exitCode, human.stdout]).toEqual([0, 'The data is sound.\n']);
});

const sum = 'with checksum';
const users = 'messaging/users.1.jsonl';

it.each<[string, number, (text: string) => string, string, 'with checksum'?]>([
  [log, 2, (text) => text.slice(0, 20), 'checksum does not match'],
  [log, 2, (text) => text.replace('"chatId":1', '"chatId":2'), 'belongs to chat 2', sum],
  [log, 3, (text) => text.replace('"id":3', '"id":1'), 'out of order', sum],
  [log, 1, (text) => text.replace('"senderId":1', '"senderId":9'), 'user 9', sum],
  [log, 1, (text) => text.replace(/"iv":"../, '"iv":"00'), 'cannot be decrypted', sum],
  [log, 1, (text) => text.replace('"text":"one"', '"text":"two"'), 'differ', sum],
  [log, 1, () => '{"id":1}', 'not a stored message', sum],
  [users, 1, (text) => text.replace('users', 'usurs'), 'checksum does not match'],
  [users, 2, () => '{"changes":[{"drop":1}]}', 'not a list of changes', sum],
  [users, 2, (text) => text.replace('"email"', '"emial"'), 'not a record of users', sum],
  [
    users,
    2,
    (text) =>
      text.replace(/\[(.*)\]/, (_, put) => {
        return `[${put},${put.replace('"id":1', '"id":2').replace('a@x', 'A@x')}]`;
      }),
    'e-mail',
    sum,
  ],
  [
    'messaging/chats.1.jsonl',
    3,
    (text) => text.replace('"ownerId":1', '"ownerId":5'),
    'user 5',
    sum,
  ],
  ['messaging/store.json', 1, () => '{}', 'checksum does not match'],
  ['site.jsonl', 2, () => '{,', 'checksum does not match'],
])('data check reports damage in %s, line %i (%#)', async (file, line, edit, message, how) => {
  const data = await prepare();
  await editLine(join(data, file), line, edit, how);
  const { exitCode, stdout } = await check(data);
  expect(exitCode).toBe(1);
  const { ok, findings } = JSON.parse(stdout);
  expect(ok).toBe(false);
  expect(findings).toContainEqual(
    expect.objectContaining({
      severity: 'error',
      file: join(data, file),
      message: expect.stringContaining(message),
      advice: expect.any(String),
    }),
  );
  if (line > 1) expect(findings[0].line).toBe(line);
});

it('data check reports an incomplete last line only as a note', async () => {
  const data = await prepare();
  const path = join(data, 'messaging/chats.1.jsonl');
  await writeFile(path, `${await readFile(path, 'utf8')}[["put",{"id`);
  const { exitCode, stdout } = await check(data);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).findings).toMatchObject([{ severity: 'note', file: path }]);
});

it("data check decrypts messages when the operator's secret is set", async () => {
  const secret = { MSGSITE_ENCRYPTION_SECRET: 'a secret of the operator' };
  const data = join(await makeTempFolder(), 'data');
  await populate(data, secret);
  expect(await readFile(join(data, log), 'utf8')).not.toContain('one');
  expect((await check(data)).exitCode).toBe(0);
  expect((await check(data, secret)).exitCode).toBe(0);
  const wrong = await check(data, { MSGSITE_ENCRYPTION_SECRET: 'another secret' });
  expect(JSON.parse(wrong.stdout).findings).toHaveLength(3);
});

it('data check accepts a folder in use, and rejects an empty folder and a newer format', async () => {
  const server = await startTestServer();
  const { exitCode, stdout } = await check(server.data);
  await server.close();
  expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { ok: true, findings: [] }]);
  const data = await makeTempFolder();
  expect((await check(join(data, 'nothing'))).exitCode).toBe(2);
  await writeFile(join(data, 'format.json'), '{"format":99}');
  expect((await check(data)).stdout).toContain('format 99');
});
