import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { auditLife, removeOldLines } from '../../../src/audit/store.js';
import { createPostgresAuditStore } from '../../../src/audit/store-postgres/open.js';
import { AppError } from '../../../src/base/errors.js';
import type { Database } from '../../../src/storage/postgres/database.js';
import { json, valuesOf } from '../../../src/storage/postgres/sql.js';
import { createWorker } from '../../../src/storage/postgres/worker.js';
import { createManualClock } from '../../helpers/manual-clock.js';
import {
  emptyTestDatabase,
  losingAnswers,
  openTestDatabase,
  type TestDatabase,
} from '../../helpers/test-database.js';
import { act, auditLine } from '../samples.js';
import { concluding, linesOf } from '../store-contract.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyTestDatabase(database));

const pending = async () =>
  (await database.run('pending', (sql) => sql`select id from msgsite.pending_acts`)).map(
    ({ id }) => id,
  );

/** Opens a store with a database that can be unavailable and lose responses. */
function open() {
  let isAway = false;
  const whole: Database = {
    ...database,
    async run(name, work) {
      if (isAway) throw new AppError('storage_unavailable', 'The database is unavailable.');
      return database.run(name, work);
    },
  };
  const losing = losingAnswers(whole);
  const worker = createWorker(losing, 'here');
  const setAway = (now: boolean) => {
    isAway = now;
  };
  return { store: createPostgresAuditStore(losing, worker), worker, lose: losing.lose, setAway };
}

it('an audited action does not remain pending if the response to its start was lost', async () => {
  const { store, worker, lose } = open();
  lose('start an action');
  await expect(store.begin(act('a'))).rejects.toMatchObject({ code: 'storage_unavailable' });
  await worker.renew();
  expect(await pending()).toEqual([]);
});

it('the end of an audited action is stored once if its response was lost and it is retried', async () => {
  const { store, worker, lose } = open();
  await store.begin(act('a'));
  lose('end an action');
  const ending = store.end(act('a'), auditLine(1));
  await expect(ending).rejects.toMatchObject({ code: 'storage_unavailable' });
  await store.end(act('a'), auditLine(1));
  await worker.renew();
  expect(await linesOf(store)).toEqual([auditLine(1)]);
  expect(await pending()).toEqual([]);
});

it('the end of an audited action is stored later if the database was unavailable', async () => {
  const { store, worker, setAway } = open();
  await store.begin(act('a'));
  setAway(true);
  const ending = store.end(act('a'), auditLine(1));
  await expect(ending).rejects.toMatchObject({ code: 'storage_unavailable' });
  await expect(store.add(auditLine(2))).rejects.toMatchObject({ code: 'storage_unavailable' });
  setAway(false);
  expect(await pending()).toEqual(['a']);
  await worker.renew();
  expect(await linesOf(store)).toEqual([auditLine(1)]);
  expect(await pending()).toEqual([]);
});

it('an audited action that was taken over but could not be ended is recovered again', async () => {
  const { store, worker, setAway } = open();
  const other = open();
  await other.store.begin(act('a'));
  await other.store.close();
  const failing = store.recover(async () => {
    setAway(true);
    return auditLine(1);
  });
  await expect(failing).rejects.toMatchObject({ code: 'storage_unavailable' });
  setAway(false);
  await worker.renew();
  const { recovered, conclude } = concluding();
  await store.recover(conclude);
  expect(recovered).toEqual([act('a')]);
  expect(await pending()).toEqual([]);
});

it('old audit log entries are removed after 400 days if deletions are allowed', async () => {
  const { store } = open();
  const clock = createManualClock();
  const old = auditLine(1, { time: clock.now() - auditLife - 1 });
  const young = auditLine(2, { time: clock.now() - auditLife + 60_000 });
  await store.add(old);
  await store.add(young);
  await removeOldLines(store, async () => undefined);
  expect(await linesOf(store)).toEqual([old, young]);
  await removeOldLines(store, async () => clock.now());
  expect(await linesOf(store)).toEqual([young]);
});

it('audit log entries are returned in order across many pages', async () => {
  const { store } = open();
  const numbers = Array.from({ length: 2_500 }, (_, number) => number);
  // Many entries have the same time.
  const lines = numbers.map((number) => auditLine(number, { time: 1_000 + (number % 7) }));
  await database.run('fill', (sql) => {
    const rows = lines.map((line) => ({
      id: line.id,
      happenedAt: new Date(line.time),
      kind: line.kind,
      record: json(line as never),
    }));
    return sql`insert into msgsite.audit ${valuesOf(rows)}`;
  });
  const found = await linesOf(store);
  expect(found).toHaveLength(2_500);
  const order = ({ time, id }: { time: number; id: string }) => `${time} ${id}`;
  expect(found.map(order)).toEqual(lines.map(order).sort());
});
