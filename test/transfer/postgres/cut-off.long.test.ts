import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { silentLog } from '../../../src/base/log.js';
import { encodeLine } from '../../../src/storage/json/lines/lines.js';
import { openDatabase } from '../../../src/storage/postgres/database.js';
import { shareDatabase } from '../../../src/storage/postgres/database-lock.js';
import { startMsgsite } from '../../helpers/msgsite-process.js';
import { runCli } from '../../helpers/run-cli.js';
import { openSql } from '../../helpers/sql.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';
import { createEmptyDatabase, createTestDatabase } from '../../helpers/test-database.js';
import { startTestServer } from '../../helpers/test-server.js';
import {
  chat,
  documentOf,
  type ExportedRecord,
  header,
  member,
  message,
  user,
  within,
} from '../document.js';

const clock = { ...systemClock, now: () => Date.parse(header.at) };
const body = (text: string) => text.slice(text.indexOf('\n'));

/** Returns an export that is large enough for its import to be killed. */
function manyMessages(count: number): string {
  const records: ExportedRecord[] = [user(1), chat(1), chat(2), member(1, 1), member(2, 1)];
  for (let id = 1; id <= count; id += 1) records.push(message(id <= count / 2 ? 1 : 2, id));
  return documentOf(within(records, count));
}

function connectTo(url: string) {
  const sql = openSql(url);
  onTestFinished(() => sql.end(1_000));
  return sql;
}

async function exported(words: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runCli(['data', 'export', ...words], { clock });
  expect(exitCode, stderr).toBe(0);
  return body(stdout);
}

it('an import into a database resumes after repeated kills', async () => {
  const folder = await makeTempFolder();
  const file = join(folder, 'in.jsonl');
  const text = manyMessages(12_000);
  await writeFile(file, text);
  const url = await createEmptyDatabase();
  const env = { MSGSITE_DATABASE: url, MSGSITE_DATA: folder };
  const sql = connectTo(url);
  const progress = async () => {
    const [row] = await sql<{ records: string }[]>`select records from msgsite.transfer`.catch(
      () => [],
    );
    return Number(row?.records ?? -1);
  };
  let before = -1;
  for (const share of [0, 4_000]) {
    const importing = startMsgsite(['data', 'import', file], { env });
    onTestFinished(() => void importing.child.kill('SIGKILL'));
    await vi.waitFor(async () => expect(await progress()).toBeGreaterThan(share), {
      timeout: 30_000,
      interval: 5,
    });
    await importing.end('SIGKILL');
    const now = await progress();
    // Completed work is not repeated.
    expect(now).toBeGreaterThanOrEqual(before);
    before = now;
  }
  expect(before).toBeLessThan(12_000);
  await expect(startTestServer({ data: folder, env })).rejects.toThrow(/is not finished/);

  const done = await runCli(['data', 'import', file, '--json'], { env });
  expect(done.exitCode, done.stderr).toBe(0);
  expect(JSON.parse(done.stdout).kinds.message.records).toBe(12_000);
  expect(await exported(['--database', url, '--data', folder])).toBe(body(text));
  const server = await startTestServer({ data: folder, env });
  await server.close();
});

it('a killed move restarts if its source has changed', async () => {
  const folder = await makeTempFolder();
  const [file, data] = [join(folder, 'in.jsonl'), join(folder, 'data')];
  await writeFile(file, manyMessages(6_000));
  const filled = await runCli(['data', 'import', file, '--data', data]);
  expect(filled.exitCode, filled.stderr).toBe(0);
  const url = await createEmptyDatabase();
  const words = ['data', 'move', '--data', data];
  const env = { MSGSITE_MOVE_TO: url };
  const moving = startMsgsite(words, { env });
  onTestFinished(() => void moving.child.kill('SIGKILL'));
  const sql = connectTo(url);
  await vi.waitFor(
    async () => {
      const [row] = await sql`select records from msgsite.transfer where records > 1000`;
      expect(row).toBeDefined();
    },
    { timeout: 30_000, interval: 5 },
  );
  await moving.end('SIGKILL');

  // The source was not marked as moved yet, so a server may use it again.
  const users = join(data, 'messaging', 'users.snapshot.jsonl');
  const lines = (await readFile(users, 'utf8')).trimEnd().split('\n');
  const renamed = lines.map((line) => {
    const [json = ''] = line.split(',"crc":');
    return encodeLine(`${json.replace('"U1"', '"New"')}}`);
  });
  await writeFile(users, renamed.join(''));
  const other = await runCli(words, { env, clock });
  expect(other.exitCode, other.stderr).toBe(0);
  const moved = await exported(['--database', url, '--data', data]);
  expect(moved).toContain('"username":"New"');
  await rm(join(data, 'transfer.json'));
  expect(moved).toBe(await exported(['--data', data]));
});

it('a move that was interrupted between its last two steps is completed by the next run', async () => {
  const folder = await makeTempFolder();
  const [file, data] = [join(folder, 'in.jsonl'), join(folder, 'data')];
  await writeFile(file, documentOf());
  await runCli(['data', 'import', file, '--data', data], { clock });
  const url = await createTestDatabase();
  const move = () => runCli(['data', 'move', '--data', data, '--to', url, '--json'], { clock });
  const { records, sha256 } = JSON.parse((await move()).stdout);
  // Restores the state before the target is released, in which neither the source nor the target can be used.
  const sql = connectTo(url);
  await sql`
    insert into msgsite.transfer (state, place, records, digest)
    values ('importing', ${data}, ${records}, ${sha256})`;
  await expect(startTestServer({ data, env: { MSGSITE_DATABASE: '' } })).rejects.toThrow(/moved/);
  const again = await move();
  expect(again.exitCode, again.stderr).toBe(0);
  expect(await exported(['--database', url, '--data', data])).toBe(body(documentOf()));
  const third = await move();
  expect([third.exitCode, third.stderr]).toEqual([
    1,
    expect.stringMatching(/is not empty: .*user/),
  ]);
});

it('an import into a database rejects two users with the same e-mail address and reports the line', async () => {
  const url = await createTestDatabase();
  const words = ['data', 'import', '-', '--database', url, '--data', await makeTempFolder()];
  const bad = await runCli(words, { stdin: documentOf(within([user(1), user(2, 'U1@x.kz')])) });
  expect([bad.exitCode, bad.stderr]).toEqual([
    2,
    expect.stringMatching(/up to line \d+: Key \(email_key\)=\(u1@x.kz\) already exists/),
  ]);
  // A different input replaces the records of the previous one.
  const good = await runCli(words, { stdin: documentOf(within([user(5)])) });
  expect(good.exitCode, good.stderr).toBe(0);
});

it('an import into a database in use is rejected, and a database cannot be used during an import', async () => {
  const url = await createTestDatabase();
  const share = await shareDatabase(url, 'msgsite serve', systemClock);
  const database = openDatabase({
    url,
    log: silentLog(),
    clock: systemClock,
    assertAllowed: share.assert,
  });
  const query = () => database.run('query', (sql) => sql`select 1`);
  onTestFinished(async () => {
    await database.close();
    await share.release();
  });
  await query();
  const folder = await makeTempFolder();
  const stdin = documentOf();
  const words = ['data', 'import', '-', '--database', url, '--data', folder];
  const rejected = await runCli(words, { stdin });
  expect([rejected.exitCode, rejected.stderr]).toEqual([
    1,
    expect.stringMatching(/in use by msgsite serve \(from 127\.0\.0\.1, since/),
  ]);

  // The connection that holds the lock is lost, and another process acquires the lock first.
  const sql = connectTo(url);
  await sql`select pg_advisory_lock(7296002) from (
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'msgsite serve' and datname = current_database()) as ended`;
  await vi.waitFor(() => expect(query()).rejects.toThrow(/being imported or moved/), {
    timeout: 15_000,
    interval: 100,
  });
  await sql`select pg_advisory_unlock(7296002)`;
  await vi.waitFor(query, { timeout: 15_000, interval: 100 });
});
