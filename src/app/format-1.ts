/**
 * Reads a data folder of format 1, whose lines had no checksums:
 *
 *     site.json                          a document
 *     messaging/<collection>.json        {"journal": n, "records": […]}; changes from then on stand in
 *     messaging/<collection>.<n>.jsonl   a list of changes a line
 *     messaging/messages/journal.<n>.jsonl, chats/<xx>/<id>.jsonl    a message a line
 *     payments/, sandbox/                a record a file: {"id", "revision", "record"}; the highest counts
 *     webhooks/                          a delivery a file, followed by a line for each attempt
 *
 * A last line without its end was never acknowledged. Anything else that is no JSON is damage.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AppError } from '../base/errors.js';
import { readBytes } from '../base/files/durable-write.js';
import { systemFiles } from '../base/files/file-layer.js';
import { compareTexts, type RecordReader } from '../base/records.js';
import { parseJsonText } from '../json/parse-text.js';
import type { Chat, StoredMessage, User } from '../messaging/model.js';
import {
  chatRecord,
  type MemberRecord,
  type MessageKeyRecord,
  messageRecord,
  type RevokedTokenRecord,
  userRecord,
} from '../messaging/records.js';
import type { IdempotencyKey } from '../messaging/store.js';
import { keyRecordOf } from '../messaging/store-json/idempotency.js';
import { keptFor } from '../payments/answer-store.js';
import { sandboxKinds, statesInOrder } from '../payments/records.js';
import { announcementRecord, productRecord, settingsRecord } from '../site/records.js';
import { emptySite, type SiteDocument } from '../site/store-json/document.js';
import { listFolder } from '../storage/json/collection-files.js';
import { readFileLines } from '../storage/json/lines.js';
import { asDamage } from '../storage/json/record-file.js';
import { deliveryStates } from '../webhooks/delivery.js';

/** Told of the damaged bytes of a file, which are then left out; it throws where they must not be. */
export type OldDamage = (error: AppError, path: string, bytes: Buffer) => Promise<void>;

const throwIt: OldDamage = (error) => Promise.reject(error);

/**
 * Every record, in the order of exports; what has expired by `now` (milliseconds) is left out. `data_damaged`
 * where something is damaged, unless `on` bears it; it may be told of the same more than once.
 */
export function readFormat1(
  data: string,
  now: number,
  on: OldDamage = throwIt,
): readonly RecordReader[] {
  return [
    ...readSite(on, join(data, 'site.json')),
    ...readMessaging(on, join(data, 'messaging'), now),
    ...readPayments(on, join(data, 'payments'), now),
    ...Object.entries(sandboxKinds).map(([kind, name]) =>
      readerOf(kind, async function* () {
        const spool = { folder: join(data, 'sandbox', name), states: ['kept'] };
        for await (const { id, record } of readSpool(on, spool, 'kept')) yield { id, record };
      }),
    ),
    readerOf('delivery', () => readDeliveries(on, join(data, 'webhooks'))),
  ];
}

function readerOf(kind: string, read: () => AsyncIterable<object>): RecordReader {
  return { kind, read };
}

function readSite(on: OldDamage, path: string): RecordReader[] {
  const document = async () => ((await readJson(on, path)) ?? emptySite) as SiteDocument;
  const byId = (a: { readonly id: number }, b: { readonly id: number }) => a.id - b.id;
  return [
    readerOf('site-settings', async function* () {
      yield settingsRecord((await document()).siteSettings);
    }),
    readerOf('product', async function* () {
      yield* [...(await document()).products].sort(byId).map(productRecord);
    }),
    readerOf('announcement', async function* () {
      yield* [...(await document()).announcements].sort(byId).map(announcementRecord);
    }),
    readerOf('site-ids', async function* () {
      const { lastProductId, lastAnnouncementId } = await document();
      yield { lastProductId, lastAnnouncementId };
    }),
  ];
}

/** A key as it was stored: who sent the message stood in its name. */
interface StoredKey extends Omit<MessageKeyRecord, 'senderId' | 'key'> {
  readonly name: string;
}

interface Journal {
  readonly lastId: number;
  readonly byChat: ReadonlyMap<number, readonly StoredMessage[]>;
  readonly keys: readonly MessageKeyRecord[];
}

function readMessaging(on: OldDamage, folder: string, now: number): RecordReader[] {
  const messages = join(folder, 'messages');
  const collection = <T>(name: string, keyOf: (record: T) => string | number) =>
    readCollection(on, folder, name, keyOf);
  const chats = async () =>
    (await collection<Chat>('chats', ({ id }) => id)).sort((a, b) => a.id - b.id);
  return [
    readerOf('user', async function* () {
      const users = await collection<User>('users', ({ id }) => id);
      yield* users.sort((a, b) => a.id - b.id).map(userRecord);
    }),
    readerOf('revoked-token', async function* () {
      const tokens = await collection<RevokedTokenRecord>('revoked-tokens', ({ jti }) => jti);
      const sorted = tokens.sort((a, b) => compareTexts(a.jti, b.jti));
      yield* sorted.filter(({ expires }) => expires > now);
    }),
    readerOf('chat', async function* () {
      yield* (await chats()).map(chatRecord);
    }),
    readerOf('member', async function* () {
      const keyOf = ({ chatId, userId }: MemberRecord) => `${chatId} ${userId}`;
      const joined = await collection<MemberRecord>('members', keyOf);
      const later = groupBy(joined, ({ chatId }) => chatId);
      for (const { id: chatId, ownerId, participantId = ownerId } of await chats()) {
        const others = (later.get(chatId) ?? []).map(({ userId }) => userId);
        for (const userId of new Set([ownerId, participantId, ...others])) yield { chatId, userId };
      }
    }),
    readerOf('message', () => readMessages(on, messages)),
    readerOf('message-key', async function* () {
      const settled = await collection<StoredKey>('idempotency-keys', ({ name }) => name);
      const keys = new Map<string, MessageKeyRecord>();
      for (const { name, messageId, chatId, bodyHash, expires } of settled) {
        const space = name.indexOf(' ');
        const [senderId, key] = [Number(name.slice(0, space)), name.slice(space + 1)];
        keys.set(name, { senderId, key, chatId, messageId, bodyHash, expires });
      }
      for (const each of (await readJournal(on, messages)).keys) {
        keys.set(`${each.senderId} ${each.key}`, each);
      }
      yield* [...keys.values()]
        .filter(({ expires }) => expires > now)
        .sort((a, b) => a.senderId - b.senderId || compareTexts(a.key, b.key));
    }),
    readerOf('message-ids', async function* () {
      yield { lastMessageId: (await readJournal(on, messages)).lastId };
    }),
  ];
}

/** A snapshot's records and what the journals changed since. */
async function readCollection<T>(
  on: OldDamage,
  folder: string,
  name: string,
  keyOf: (record: T) => string | number,
): Promise<T[]> {
  const snapshot = (await readJson(on, join(folder, `${name}.json`))) as
    | { readonly journal: number; readonly records: readonly T[] }
    | undefined;
  const records = new Map(snapshot?.records.map((record) => [keyOf(record), record]));
  for (const [number, path] of await segments(folder, name)) {
    if (number < (snapshot?.journal ?? 1)) continue;
    for await (const changes of readLines<[kind: string, subject: T & string][]>(on, path)) {
      for (const [kind, subject] of changes) {
        if (kind === 'delete') records.delete(subject);
        else records.set(keyOf(subject), subject);
      }
    }
  }
  return [...records.values()];
}

/** Numbers and paths of a log's files, the oldest first. */
async function segments(folder: string, name: string): Promise<[number, string][]> {
  const found = (await listFolder(systemFiles, folder)).flatMap((file): [number, string][] => {
    const number = file.startsWith(`${name}.`) && /^\.(\d+)\.jsonl$/.exec(file.slice(name.length));
    return number ? [[Number(number[1]), join(folder, file)]] : [];
  });
  return found.sort(([a], [b]) => a - b);
}

/** What was not yet in the logs of the chats: at most 72 MiB. */
async function readJournal(on: OldDamage, folder: string): Promise<Journal> {
  type Entry = StoredMessage & { readonly idempotency?: IdempotencyKey; readonly lastId?: number };
  const messages: StoredMessage[] = [];
  const keys: MessageKeyRecord[] = [];
  let last = 0;
  for (const [, path] of await segments(folder, 'journal')) {
    for await (const { idempotency, lastId, ...message } of readLines<Entry>(on, path)) {
      last = Math.max(last, lastId ?? message.id);
      if (lastId !== undefined) continue;
      messages.push(message);
      if (idempotency) keys.push(keyRecordOf(message, idempotency));
    }
  }
  return { lastId: last, byChat: groupBy(messages, ({ chatId }) => chatId), keys };
}

function groupBy<T>(records: readonly T[], keyOf: (record: T) => number): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const record of records) {
    const group = groups.get(keyOf(record));
    if (group) group.push(record);
    else groups.set(keyOf(record), [record]);
  }
  return groups;
}

/** Chat after chat: first what its log holds, then what is in the journal only. */
async function* readMessages(on: OldDamage, folder: string): AsyncGenerator<StoredMessage> {
  const { byChat } = await readJournal(on, folder);
  const logs = new Map<number, string>();
  for (const shard of await listFolder(systemFiles, join(folder, 'chats'))) {
    for (const name of await listFolder(systemFiles, join(folder, 'chats', shard))) {
      logs.set(Number.parseInt(name, 10), join(folder, 'chats', shard, name));
    }
  }
  for (const chatId of [...new Set([...logs.keys(), ...byChat.keys()])].sort((a, b) => a - b)) {
    let last = 0;
    for await (const message of readLines<StoredMessage>(on, logs.get(chatId))) {
      last = message.id;
      yield messageRecord(message);
    }
    yield* (byChat.get(chatId) ?? []).filter(({ id }) => id > last).map(messageRecord);
  }
}

function readPayments(on: OldDamage, folder: string, now: number): RecordReader[] {
  const sessions = { folder: join(folder, 'sessions'), states: ['kept', 'erased'] };
  const answers = { folder: join(folder, 'idempotency'), states: ['kept'] };
  return [
    readerOf('cashier-session', async function* () {
      for await (const { record } of readSpool(on, sessions, 'kept')) yield record;
    }),
    readerOf('payment', async function* () {
      for (const state of statesInOrder) {
        const spool = { folder, states: statesInOrder };
        for await (const { record } of readSpool(on, spool, state)) yield { ...record, state };
      }
    }),
    readerOf('payment-answer', async function* () {
      type Answer = { readonly body: string; readonly answer: object; readonly at: number };
      const found = [];
      for await (const { id, record } of readSpool<Answer>(on, answers, 'kept')) {
        const { body, answer, at } = record;
        if (at + keptFor > now) found.push({ name: id, body, answer, expires: at + keptFor });
      }
      yield* found.sort((a, b) => compareTexts(a.name, b.name));
    }),
  ];
}

interface SpoolFile<T> {
  readonly id: string;
  readonly revision: number;
  readonly record: T;
}

/** The records of a state: by day where it was kept so, then by id. */
async function* readSpool<T = object>(
  on: OldDamage,
  { folder, states }: { readonly folder: string; readonly states: readonly string[] },
  state: string,
): AsyncGenerator<SpoolFile<T>> {
  const read = async (path: string) => (await readJson(on, path)) as SpoolFile<T> | undefined;
  for (const place of [join(folder, state), ...(await daysOf(join(folder, state)))]) {
    for (const name of await recordFiles(place)) {
      const file = await read(join(place, name));
      if (!file) continue;
      // A process that died while it moved a record has left two files.
      const others = await Promise.all(
        states
          .flatMap((each) => [join(folder, each, name), join(folder, each, 'by-id', name)])
          .filter((path) => existsSync(path))
          .map(read),
      );
      if (others.every((other) => !other || other.revision <= file.revision)) yield file;
    }
  }
}

/** What this reads of a delivery, which may hold more. */
interface OldDelivery {
  readonly id: string;
  readonly state: string;
  readonly arisenAt: string;
  readonly endedAt: string | null;
  readonly attempts: readonly object[];
}

async function* readDeliveries(on: OldDamage, folder: string): AsyncGenerator<object> {
  const sending = join(folder, 'sending');
  const claimed: string[] = [];
  for (const owner of await listFolder(systemFiles, sending)) {
    const names = await recordFiles(join(sending, owner));
    claimed.push(...names.map((name) => join(sending, owner, name)));
  }
  for (const state of deliveryStates) {
    const own = join(folder, state);
    // What a process had claimed when it died lies where its content says.
    const strays = await Promise.all(claimed.map((path) => readDelivery(on, path)));
    const here = strays
      .filter((delivery) => delivery !== undefined)
      .filter((delivery) => delivery.state === state);
    const days = [...(await daysOf(own)), ...here.map((each) => join(own, dayOf(each)))];
    for (const place of state === 'pending' ? [own] : [...new Set(days)].sort()) {
      const found = here.filter((each) => place === own || join(own, dayOf(each)) === place);
      for (const name of await recordFiles(
        place,
        found.map(({ id }) => `${id}.json`),
      )) {
        const stray = found.find(({ id }) => name === `${id}.json`);
        const read = stray ?? (await readDelivery(on, join(place, name)));
        if (!read) continue;
        const delivery = withNewNames(read);
        // After a power cut the last line may be gone: the folder then still says how it ended.
        yield state === 'pending' ? delivery : { ...delivery, state, nextAttemptAt: null };
      }
    }
  }
}

/** A delivery makes sense as a whole only: damage to a line leaves it out. */
async function readDelivery(on: OldDamage, path: string): Promise<OldDelivery | undefined> {
  let delivery: OldDelivery | undefined;
  try {
    type Line = OldDelivery & { readonly attempt: object };
    for await (const line of readLines<Line>(throwIt, path)) {
      const { attempt, ...changed } = line;
      const attempts = [...(delivery?.attempts ?? []), attempt];
      delivery = delivery ? { ...delivery, ...changed, attempts } : line;
    }
  } catch (error) {
    await on(asDamage(error), path, (await readBytes(systemFiles, path)) ?? Buffer.alloc(0));
    return undefined;
  }
  return delivery ?? ((await readJson(on, path)) as OldDelivery | undefined);
}

function withNewNames(delivery: OldDelivery): object {
  const named = Object.entries(delivery).map(([name, value]) => [
    name === 'arisenAt' ? 'occurredAt' : name,
    value,
  ]);
  return Object.fromEntries(named);
}

function dayOf({ endedAt, arisenAt }: OldDelivery): string {
  return (endedAt ?? arisenAt).slice(0, 10);
}

/** The folders of a state's days, rising. */
async function daysOf(folder: string): Promise<string[]> {
  const names = await listFolder(systemFiles, folder);
  return names.filter((name) => /^\d{4}-\d\d-\d\d$/.test(name)).map((day) => join(folder, day));
}

async function recordFiles(folder: string, more: readonly string[] = []): Promise<string[]> {
  const found = (await listFolder(systemFiles, folder)).filter((name) => name.endsWith('.json'));
  return [...new Set([...found, ...more])].sort();
}

/** What a JSON file holds; undefined where there is none. */
async function readJson(on: OldDamage, path: string): Promise<unknown> {
  const bytes = await readBytes(systemFiles, path);
  return bytes && parse(on, path, path, bytes);
}

/** The values of the whole lines of a file; none where there is none. */
async function* readLines<T>(on: OldDamage, path: string | undefined): AsyncGenerator<T> {
  if (path === undefined) return;
  for await (const some of readFileLines(systemFiles, path)) {
    for (const { start, end, bytes, number } of some) {
      if (end - start === bytes.length) return;
      const value = await parse(on, path, `${path}, line ${number}`, bytes);
      // Only this program wrote here, and only a T.
      if (value !== undefined) yield value as T;
    }
  }
}

/** What a text says; undefined where it is damaged, which has been told of. */
async function parse(on: OldDamage, path: string, place: string, bytes: Buffer): Promise<unknown> {
  try {
    return parseJsonText(bytes.toString('utf8'), place);
  } catch (error) {
    await on(asDamage(error), path, bytes);
    return undefined;
  }
}
