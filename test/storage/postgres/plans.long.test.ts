import { beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Intent, Refund } from '#validators/payment-records';
import { createPostgresAuditStore } from '../../../src/audit/store-postgres/open.js';
import { systemClock } from '../../../src/base/clock.js';
import { silentLog } from '../../../src/base/log.js';
import { createDelivery } from '../../../src/events/delivery.js';
import { storedEventOf } from '../../../src/events/event.js';
import { createPostgresDeliveryStore } from '../../../src/events/store-postgres/open.js';
import {
  createPostgresMessagingStore,
  expiringMessagingTables,
  sweepRemovedChats,
} from '../../../src/messaging/store-postgres/open.js';
import type { Order } from '../../../src/orders/order.js';
import { createPostgresOrderStore } from '../../../src/orders/store-postgres/open.js';
import { cursorOf, type Payment } from '../../../src/payments/payment.js';
import type { StoredSession } from '../../../src/payments/records.js';
import {
  createPostgresPaymentStores,
  expiringPaymentTables,
} from '../../../src/payments/store-postgres/open.js';
import { connect } from '../../../src/storage/postgres/connect.js';
import { type Database, openDatabase } from '../../../src/storage/postgres/database.js';
import { createSharedRateLimiter } from '../../../src/storage/postgres/rate-limiter.js';
import { sweepExpired } from '../../../src/storage/postgres/sweep.js';
import { createWorker } from '../../../src/storage/postgres/worker.js';
import { act, auditLine } from '../../audit/samples.js';
import { linesOf } from '../../audit/store-contract.js';
import { pendingIn } from '../../helpers/delivery-store.js';
import {
  copyTestDatabase,
  openTestDatabase,
  useTestDatabase,
} from '../../helpers/test-database.js';
import { sampleEvent } from '../../webhooks/samples.js';

/** Tables that grow without limit. */
const growing = [
  ...['users', 'chats', 'members', 'messages', 'message_keys', 'revoked_tokens'],
  ...['payments', 'intents', 'refunds', 'sessions', 'payment_answers', 'deliveries', 'rate_limits'],
  ...['audit', 'pending_acts'],
  'webhook_events',
  ...['orders', 'order_keys'],
];

/** Creates enough rows that the planner does not prefer a full scan to an index. */
const content = `
  insert into msgsite.users (username, email, email_key, password_hash, bio, created_at, name_key)
    select 'u', n || '@x.kz', n || '@x.kz', '$2b$' || lpad((4 + n % 9)::text, 2, '0') || '$' || repeat('a', 53),
      '', now(), 'u' from generate_series(1, 20000) n;
  insert into msgsite.chats (type, name, owner_id, participant_id, created_at)
    select case n % 10 when 0 then 'channel' when 1 then 'group' else 'private' end, '', n, n + 1, now()
    from generate_series(1, 20000) n;
  insert into msgsite.members (chat_id, user_id, start_id)
    select n, n + m, 0 from generate_series(1, 20000) n, generate_series(0, 1) m;
  update msgsite.chats set member_count = 2;
  insert into msgsite.removed_chats select generate_series(30001, 30003);
  insert into msgsite.messages (chat_id, id, sender_id, type, text, iv, encrypted, auth_tag, scheme, created_at)
    select 1 + n % 2000, n, 1, 'text', 'some text', '', '', '', 'email', now()
    from generate_series(1, 100000) n;
  select setval('msgsite.message_ids', 100000);
  insert into msgsite.message_keys (sender_id, key, chat_id, body_hash, message_id, expires_at)
    select n, 'k', 1, 'h', n, now() + interval '1 day' from generate_series(1, 20000) n;
  insert into msgsite.revoked_tokens (jti, expires_at, good_until)
    select 'j' || n, now() + interval '1 day', 0 from generate_series(1, 20000) n;
  insert into msgsite.rate_limits (rule, key, tokens, at, full_at)
    select 'r', 'k' || n, 1, now(), now() + interval '1 hour' from generate_series(1, 20000) n;
  insert into msgsite.workers values ('other', 'other', now() + interval '1 hour');
  insert into msgsite.payments (key, state, organization_id, operation_id, created_at, session_id,
      ended_at, worker, record)
    select n % 20 || '-qr-' || n, case when n % 100 = 0 then 'open' else 'ended' end, n % 20, n, n,
      's' || n % 50, now(), case when n % 100 = 0 then 'other' end,
      json_build_object('id', n::text, 'type', 'qr', 'organizationId', n % 20, 'createdAt', n)
    from generate_series(1, 50000) n;
  insert into msgsite.intents (id, state, closed_at, record)
    select lpad(to_hex(n), 24, '0'), case when n % 100 = 0 then 'in_doubt' else 'adopted' end,
      case when n % 100 > 0 then now() end,
      json_build_object('id', lpad(to_hex(n), 24, '0'), 'state', 'in_doubt')
    from generate_series(1, 20000) n;
  insert into msgsite.refunds (intent_id, created_at, record)
    select lpad(to_hex(n), 24, '0'), now(), '{}' from generate_series(1, 20000) n;
  insert into msgsite.sessions (id, record, changed_at)
    select 's' || n, '{}', now() - n * interval '1 minute'
    from generate_series(1, 20000) n;
  insert into msgsite.payment_answers (name, body, answer, expires_at)
    select 'n' || n, 'b', '{}', now() + interval '1 day' from generate_series(1, 20000) n;
  insert into msgsite.webhook_events (id, occurred_at, record)
    select 'e' || n, now() - n * interval '1 minute', '{}' from generate_series(1, 20000) n;
  insert into msgsite.deliveries (id, state, payment, lane, next_attempt_at, listed_at, record)
    select 'd' || n, case when n % 500 = 0 then 'pending' else 'delivered' end, '', '', now(),
      now() - n * interval '1 second', '{}'
    from generate_series(1, 50000) n;
  insert into msgsite.audit (id, happened_at, kind, record)
    select 'a' || n, now() - n * interval '1 minute', 'qr', '{}' from generate_series(1, 50000) n;
  insert into msgsite.orders (id, created_at, ended_at, record)
    select 'o' || n, n, case when n % 100 > 0 then now() end,
      json_build_object('id', 'o' || n, 'keyHash', 'k' || n, 'createdAt', n, 'status', 'pending', 'quantity', 1,
        'items', json_build_array(json_build_object('productId', n % 100, 'quantity', 1)),
        'endedAt', null)
    from generate_series(1, 50000) n;
  insert into msgsite.order_keys (key_hash, order_id, expires_at)
    select 'k' || n, 'o' || n, now() + interval '1 day' from generate_series(1, 20000) n;
  insert into msgsite.stock select n, 10 from generate_series(1, 1000) n;
  insert into msgsite.workers select 'w' || n, 'other', now() + interval '1 hour'
    from generate_series(0, 199) n;
  insert into msgsite.pending_acts (id, worker, token, record)
    select 'p' || n, 'w' || n % 200, n, '{}' from generate_series(1, 20000) n;
`;

const session: StoredSession = {
  id: '',
  tokenSN: '',
  vtokenSecret: '',
  organizationId: 1,
  profileId: 1,
  orgName: '',
  phone: '',
  createdAt: 1,
};
/** Calls every operation of the audit store. */
async function useAudit(database: Database): Promise<void> {
  const [dying, audit] = [0, 1].map(() =>
    createPostgresAuditStore(database, createWorker(database, 'audit')),
  );
  await audit?.add(auditLine(1, { time: Date.now() }));
  await dying?.begin(act('left'));
  await dying?.begin(act('new'));
  await dying?.end(act('new'), auditLine(2, { time: Date.now() }));
  await dying?.close();
  await audit?.recover(async () => auditLine(3, { time: Date.now() }));
  if (audit)
    await linesOf(audit, { since: Date.now() - 3_600_000, until: Date.now(), kinds: ['qr'] });
  await audit?.removeBefore(Date.now() - 30 * 86_400_000);
  await audit?.close();
}

const user = { username: 'u', passwordHash: '', avatar: null, bio: '' };

/** Calls every operation of the order store. */
async function useOrders(database: Database): Promise<void> {
  const orders = createPostgresOrderStore(database, systemClock);
  const [made] = (await orders.page({ limit: 20 })).orders as [Order];
  await orders.page({ after: made, limit: 20 });
  await orders.add({ ...made, id: 'new', keyHash: 'new', createdAt: Date.now() });
  await orders.add({ ...made, id: 'newer', keyHash: 'new', createdAt: Date.now() });
  await orders.change('o77', (order) => ({ ...order, status: 'paid', endedAt: 1 }));
  await orders.remove('o78');
  await orders.removeExpiredKeys(Date.now());
  await orders.removeEndedBefore('2020-01-01');
  await orders.leftOf(7);
  await orders.changeLeft(7, () => 5);
  await orders.close();
}

/** Calls every operation of the stores. */
async function useEverything(database: Database): Promise<void> {
  const messaging = createPostgresMessagingStore(database, systemClock);
  const { users, chats, messages, tokens } = messaging;
  const createdAt = new Date().toISOString();
  await users.create({ ...user, email: 'new@x.kz', createdAt });
  await users.find(77);
  await users.findByEmail('77@x.kz');
  await users.change(77, { bio: 'b' });
  await users.replaceHash(77, 'h', 'h');
  await users.maxCost();
  await users.list({ after: 10_000, limit: 100 });
  await users.list({ after: 10_000, limit: 100, part: 'u' });
  await users.list({ after: 10_000, limit: 100, part: 'nobody' });
  await users.endTokens(77);
  await users.setReset(77, { hash: 'h', expires: Date.now() + 1000 });
  await users.replacePassword(77, { resetHash: 'h' }, 'n');
  await users.replacePassword(77, { passwordHash: 'n' }, 'm');
  await tokens.revoke('new', Date.now() + 1000);
  await tokens.holderOf({ jti: 'j77', userId: 77, issued: Date.now() });
  await chats.create({ type: 'group', name: 'g', ownerId: 1, createdAt });
  const pair = { type: 'private', name: '', ownerId: 78, participantId: 77, createdAt } as const;
  await chats.create(pair);
  await chats.create(pair);
  await chats.find(77);
  await chats.findPrivate(78, 77);
  await chats.addMember(77, 5);
  await chats.addMember(77, 6, 1000);
  await chats.addMember(77, 6, 1000);
  await chats.membership(77, 5);
  await chats.members(77);
  await chats.countMembers(77);
  await chats.membersById(77, { after: 5, limit: 10 });
  await chats.listOf(77);
  await chats.rename(77, 'n');
  await chats.markRead(77, 77, 5);
  await chats.markRead(77, 77, 5);
  await chats.listChannels({ after: 10_000, limit: 100 });
  const draft = {
    chatId: 77,
    senderId: 77,
    type: 'text',
    text: 't',
    scheme: 'email',
    createdAt,
    encrypted: { iv: '00', encrypted: '00', authTag: '00' },
  } as const;
  await messages.append(draft);
  await messages.append(draft, { key: 'new', bodyHash: 'h' });
  await messages.append(draft, { key: 'new', bodyHash: 'h' });
  await messages.page(77, { limit: 20 });
  await messages.page(77, { limit: 20, after: 50_000 });
  await messages.page(77, { limit: 20, before: 50_000 });
  await messages.last(77);
  await messages.hasNews(77, 77, 50_000);
  await messages.countOthers(77, { userId: 5, after: 50_000, max: 100 });
  await chats.removeMember(91, 91);
  await chats.removeMember(91, 92);
  await messaging.endAccount(101, { at: createdAt });
  await messaging.endAccount(100, { at: createdAt });
  await messaging.endAccount(102, { at: createdAt });
  await sweepRemovedChats(database);
  await createSharedRateLimiter(database).take({ name: 'r', amount: 9, periodSeconds: 9 }, 'k77');
  const tables = [...expiringMessagingTables, ...expiringPaymentTables];
  await sweepExpired({ database, clock: systemClock, tables });

  const worker = createWorker(database, 'plans');
  await useAudit(database);
  await useOrders(database);

  const stores = createPostgresPaymentStores(database, worker, systemClock);
  const { payments, sessions, answers, intents, refunds } = stores;
  await payments.claimAll('plans');
  const [made] = (await payments.find({ id: '77' })) as [Payment];
  await payments.find(made);
  const fresh = { ...made, id: 'new', state: 'open', sessionId: 's', createdAt: 1 } as const;
  await payments.add(fresh);
  await payments.update(fresh);
  await payments.takeOpen(
    () => false,
    () => {},
  );
  await payments.takeOpen(
    () => false,
    () => {},
  );
  await (await payments.claimOne('0-qr-100', 'plans'))?.release();
  await payments.hasOpenWith('s7');
  await payments.balance?.shares(7);
  await payments.balance?.takeHandedOver();
  await payments.balance?.handOver('other', new Map([['0-qr-100', 1]]));
  await payments.end({ ...fresh, state: 'ended', endedAt: 2 });
  for await (const _ of payments.list('open')) break;
  for await (const _ of payments.listEnded({ from: 0, to: Date.now() })) break;
  await payments.noteFlip('17-qr-77', { flippedTo: 'Refunded', flippedOutcome: 'failed' });
  for (const state of [undefined, 'ended'] as const) {
    const page = await payments.page({ organizationId: 7, state, limit: 100 });
    const after = cursorOf(page.payments.at(-1) as Payment);
    await payments.page({ organizationId: 7, state, after, limit: 100 });
  }
  await payments.removeEndedBefore('2030-01-01', async () => ['1-qr-1']);
  const [id, closed] = ['64', '65'].map((each) => each.padStart(24, '0')) as [string, string];
  const intent = (await intents.find(id)) as Intent;
  await intents.add(intent);
  await intents.add({ ...intent, id: closed });
  await intents.change(id, () => ({ ...intent, state: 'not_made', closedAt: 1 }));
  for await (const _ of intents.list('in_doubt')) break;
  await intents.removeClosedBefore('2020-01-01');
  await refunds.put({ ...((await refunds.find(id)) as Refund), intentId: 'new', createdAt: 1 });
  for await (const _ of refunds.list()) break;
  await refunds.removeBefore('2020-01-01');
  await sessions.add({ ...session, id: 'new' });
  await sessions.update({ ...session, id: 's77' });
  await sessions.find('s77');
  await sessions.ids();
  await sessions.ids();
  await answers.once('new', 'b', async () => ({}));
  await answers.once('n77', 'b', async () => ({}));
  await answers.removeExpired(Date.now());
  const deliveries = createPostgresDeliveryStore(database, worker);
  const delivery = createDelivery(sampleEvent(), { id: 's', displayUrl: 'http://x/' }, [0]);
  await deliveries.add(delivery);
  await pendingIn(deliveries);
  await deliveries.read('d77');
  const claimed = await deliveries.claim(delivery.id, ['pending']);
  await claimed?.settle(delivery);
  for await (const _ of deliveries.list({ states: ['delivered'] })) break;
  await deliveries.removeEndedBefore('delivered', '2020-01-01');
  await deliveries.removeEndedBefore('dropped', '2020-01-01');
  await deliveries.undeliveredOf([{ organizationId: 7, type: 'qr', id: '1' }]);
  await deliveries.events.add(storedEventOf(sampleEvent()));
  for await (const _ of deliveries.events.list()) break;
  await deliveries.events.removeBefore('2020-01-01');
  await deliveries.freeAbandoned();
  await worker.leave();
  await messaging.close();
}

/** A filled database that is copied, because filling one takes seconds. */
let filled: string;

beforeAll(async () => {
  const database = await openTestDatabase({ statementTimeout: 60_000 });
  await database.run('fill', (sql) => sql.unsafe(content));
  await database.run('analyze', (sql) => sql`vacuum analyze`);
  // Autovacuum analyses only the partitions.
  await database.run(
    'forget the whole',
    (sql) => sql`
      delete from pg_statistic where starelid in (select inhparent from pg_inherits)`,
  );
  await database.close();
  filled = database.url;
});

async function useFilledDatabase() {
  return useTestDatabase({ url: await copyTestDatabase(filled), statementTimeout: 60_000 });
}

function openAgain(url: string, connections: number, isPipelined = true): Database {
  return openDatabase({ url, log: silentLog(), clock: systemClock, connections, isPipelined });
}

it.each([true, false])(
  'no statement scans a growing table in full (pipelined: %s)',
  async (isPipelined) => {
    const database = await useFilledDatabase();
    const read = () =>
      database.run(
        'counters',
        (sql) => sql<{ table: string; scans: number }[]>`
        select regexp_replace(relname, '_[0-9]+$', '') as table, sum(seq_scan)::int as scans
        from pg_stat_user_tables where schemaname = 'msgsite'
        group by 1 having regexp_replace(min(relname), '_[0-9]+$', '') = any(${growing}::text[])
        order by 1`,
      );
    await database.run('flush', (sql) => sql`select pg_stat_force_next_flush()`);
    await database.run('reset', (sql) => sql`select pg_stat_reset()`);
    // The first search for changed sessions in a process may read the whole table.
    const before = await read();
    expect(before).toHaveLength(growing.length);
    const user = openAgain(database.url, 2, isPipelined);
    await useEverything(user);
    // The counters of a connection are complete when it is closed.
    await user.close();
    const used = (await read()).filter(({ scans }, index) => scans !== before[index]?.scans);
    expect(used.filter(({ table }) => table !== 'sessions')).toEqual([]);
    expect(used.find(({ table }) => table === 'sessions')?.scans ?? 0).toBeLessThanOrEqual(1);
  },
);

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Returns the table that a partition belongs to. */
function wholeOf(table: string): string {
  return table.replace(/_\d+$/, '');
}

function tablesReadWhole(node: PlanNode): string[] {
  const { 'Node Type': type, 'Relation Name': relation = '', Plans = [] } = node;
  const inside = Plans.flatMap(tablesReadWhole);
  const table = wholeOf(relation);
  return type === 'Seq Scan' && growing.includes(table) ? [table, ...inside] : inside;
}

it('the generic plan of every statement contains no full scan of a growing table', async () => {
  const { url } = await useFilledDatabase();
  // A single connection has all prepared statements.
  const database = openAgain(url, 1);
  onTestFinished(() => database.close());
  await useEverything(database);
  const prepared = await database.run(
    'prepared',
    (sql) => sql<{ statement: string }[]>`
      select distinct statement from pg_prepared_statements where statement like '%msgsite%'`,
  );
  expect(prepared.length).toBeGreaterThan(50);
  const readWhole = async (statement: string): Promise<string[]> => {
    const [row] = await database.run('explain', (sql) =>
      sql.unsafe<{ 'QUERY PLAN': [{ Plan: PlanNode }] }[]>(
        `explain (generic_plan, format json) ${statement}`,
      ),
    );
    return row ? tablesReadWhole(row['QUERY PLAN'][0].Plan) : ['no plan'];
  };
  expect(await readWhole('select from msgsite.messages where text = $1')).toContain('messages');
  const faults: string[] = [];
  for (const { statement } of prepared) {
    const tables = await readWhole(statement);
    if (tables.length > 0) faults.push(`${tables.join(', ')}: ${statement.trim()}`);
  }
  expect(faults).toEqual([]);
});

/** Returns the partitions that the nodes of a plan have read. */
function partitionsRead(node: PlanNode): string[] {
  const { 'Node Type': type, 'Relation Name': relation = '', Plans = [] } = node;
  const isRead = type.endsWith('Scan') && /_\d+$/.test(relation) && node['Actual Loops'] !== 0;
  return [...(isRead ? [relation] : []), ...Plans.flatMap(partitionsRead)];
}

/** Opens a database on one connection that passes the plans of all statements, including nested ones, to `onPlan`. */
function openExplained(url: string, onPlan: (name: string, plan: PlanNode) => void): Database {
  const whole = openAgain(url, 1);
  let name = '';
  const sql = connect({
    url,
    connections: 1,
    statementTimeout: 60_000,
    applicationName: 'explained',
    session: {
      plan_cache_mode: 'force_generic_plan',
      session_preload_libraries: 'auto_explain',
      'auto_explain.log_min_duration': '0',
      'auto_explain.log_level': 'notice',
      'auto_explain.log_format': 'json',
      'auto_explain.log_analyze': 'on',
      'auto_explain.log_timing': 'off',
      'auto_explain.log_nested_statements': 'on',
    },
    onNotice(message) {
      const begin = message.indexOf('{');
      if (begin >= 0) onPlan(name, JSON.parse(message.slice(begin)).Plan);
    },
  });
  const naming = async <Result>(next: string, work: () => PromiseLike<Result>) => {
    name = next;
    return work();
  };
  return {
    ...whole,
    run: (next, work) => naming(next, () => work(sql)),
    transaction: (next, work) => naming(next, () => sql.begin(work)),
    async close() {
      await Promise.all([whole.close(), sql.end(1_000)]);
    },
  };
}

it('every statement reads one partition of messages and payments, except for the listed ones', async () => {
  const { url } = await useFilledDatabase();
  const most = new Map<string, number>();
  const database = openExplained(url, (name, plan) => {
    const read = new Set(partitionsRead(plan)).size;
    if (read > 0) most.set(name, Math.max(read, most.get(name) ?? 0));
  });
  onTestFinished(() => database.close());
  await useEverything(database);
  const names = (isMeant: (read: number) => boolean) =>
    [...most].filter(([, read]) => isMeant(read)).map(([name]) => name);
  expect(names((read) => read === 1).sort()).toEqual([
    'claim a payment',
    'delete messages of removed chats',
    'end a payment',
    'end an account',
    'last messages of chats',
    'message of a key',
    'newer messages of chats',
    'note a flip',
    'page of messages',
    'payment by key',
    'remove a member',
    'remove old payments',
    'unread messages of chats',
    'update a payment',
  ]);
  // Each of these uses an index of every partition, and reads at most its limit or the rows that one process watches.
  expect(names((read) => read > 1).sort()).toEqual([
    'claim payments',
    'hand payments over',
    'leave',
    'list payments',
    'old payments',
    'open payments of a session',
    'own payments',
    'page of payments',
    'payments by operation',
    'payments that ended in a span',
    'take handed-over payments',
  ]);
});
