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
import { basename, join } from 'node:path';
import type { SiteDocument } from '#validators/site-document';
import type { AppError } from '../base/errors.js';
import { listFolder, readBytes } from '../base/files/durable-write.js';
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
import { findLogs } from '../messaging/store-json/chat-log-paths.js';
import { keyName } from '../messaging/store-json/collections.js';
import { keyRecordOf } from '../messaging/store-json/idempotency.js';
import { sandboxKinds, statesInOrder } from '../payments/records.js';
import { keptFor } from '../payments/store.js';
import { readSite } from '../site/store-json/transfer.js';
import { asDamage } from '../storage/json/check/data-checker.js';
import { bytesOf, readFileLines } from '../storage/json/lines/lines.js';
import { isDay, isRecordName } from '../storage/json/records/record-paths.js';
import { type Delivery, deliveryStates } from '../webhooks/delivery.js';
import { keptDay, renewDelivery } from '../webhooks/records.js';

/** Called with the damaged bytes of a file, which are then left out; it throws where they must not be. */
export type OldDamage = (error: AppError, path: string, bytes: Buffer) => Promise<void>;

const throwIt: OldDamage = (error) => Promise.reject(error);

/**
 * Every record, in the order of exports; what has expired by `now` (milliseconds) is left out. `data_damaged`
 * where something is damaged, unless `on` bears it; it may be called with the same more than once.
 */
export function readFormat1(
  data: string,
  now: number,
  on: OldDamage = throwIt,
): readonly RecordReader[] {
  return [
    ...readSite(async () => (await readJson(on, join(data, 'site.json'))) as SiteDocument | null),
    ...readMessaging(on, join(data, 'messaging'), now),
    ...readPayments(on, join(data, 'payments'), now),
    ...Object.entries(sandboxKinds).map(([kind, name]) => ({
      kind,
      async *read() {
        const files = readStates(on, join(data, 'sandbox', name), ['kept']);
        for await (const { id, record } of files) yield { id, record };
      },
    })),
    { kind: 'delivery', read: () => readDeliveries(on, join(data, 'webhooks')) },
  ];
}

/** A kind of which all records are in memory at once. */
function listed(kind: string, list: () => Promise<Iterable<object>>): RecordReader {
  return {
    kind,
    async *read() {
      yield* await list();
    },
  };
}

const byId = (a: { readonly id: number }, b: { readonly id: number }) => a.id - b.id;

/** A key as it was stored: who sent the message stood in its name. */
interface StoredKey extends Omit<MessageKeyRecord, 'senderId' | 'key'> {
  readonly name: string;
}

function readMessaging(on: OldDamage, folder: string, now: number): RecordReader[] {
  const messages = join(folder, 'messages');
  const collection = <T>(name: string, keyOf: (record: T) => string | number) =>
    readCollection(on, folder, name, keyOf);
  const chats = async () => (await collection<Chat>('chats', ({ id }) => id)).sort(byId);
  return [
    listed('user', async () => {
      const users = await collection<User>('users', ({ id }) => id);
      return users.sort(byId).map(userRecord);
    }),
    listed('revoked-token', async () => {
      const tokens = await collection<RevokedTokenRecord>('revoked-tokens', ({ jti }) => jti);
      const valid = tokens.filter(({ expires }) => expires > now);
      return valid.sort((a, b) => compareTexts(a.jti, b.jti));
    }),
    listed('chat', async () => (await chats()).map(chatRecord)),
    listed('member', async () => {
      const keyOf = ({ chatId, userId }: MemberRecord) => `${chatId} ${userId}`;
      const joined = byChat(await collection<MemberRecord>('members', keyOf));
      return (await chats()).flatMap(({ id: chatId, ownerId, participantId = ownerId }) => {
        const later = (joined.get(chatId) ?? []).map(({ userId }) => userId);
        const userIds = new Set([ownerId, participantId, ...later]);
        return [...userIds].map((userId) => ({ chatId, userId }));
      });
    }),
    { kind: 'message', read: () => readMessages(on, messages) },
    listed('message-key', async () => {
      const stored = await collection<StoredKey>('idempotency-keys', ({ name }) => name);
      const settled = stored.map(({ name, messageId, chatId, bodyHash, expires }) => {
        const space = name.indexOf(' ');
        const [senderId, key] = [Number(name.slice(0, space)), name.slice(space + 1)];
        return { senderId, key, chatId, messageId, bodyHash, expires };
      });
      const all = [...settled, ...(await readJournal(on, messages)).keys];
      return [...new Map(all.map((each) => [keyName(each), each])).values()]
        .filter(({ expires }) => expires > now)
        .sort((a, b) => a.senderId - b.senderId || compareTexts(a.key, b.key));
    }),
    listed('message-ids', async () => [
      { lastMessageId: (await readJournal(on, messages)).lastId },
    ]),
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
async function readJournal(on: OldDamage, folder: string) {
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
  return { lastId: last, messages, keys };
}

function byChat<T extends { readonly chatId: number }>(records: readonly T[]): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const record of records) {
    const group = groups.get(record.chatId);
    if (group) group.push(record);
    else groups.set(record.chatId, [record]);
  }
  return groups;
}

/** Chat after chat: first what its log holds, then what is in the journal only. */
async function* readMessages(on: OldDamage, folder: string): AsyncGenerator<StoredMessage> {
  const waiting = byChat((await readJournal(on, folder)).messages);
  const logs = await findLogs(join(folder, 'chats'));
  for (const chatId of [...new Set([...logs.keys(), ...waiting.keys()])].sort((a, b) => a - b)) {
    let last = 0;
    for await (const message of readLines<StoredMessage>(on, logs.get(chatId))) {
      last = message.id;
      yield messageRecord(message);
    }
    yield* (waiting.get(chatId) ?? []).filter(({ id }) => id > last).map(messageRecord);
  }
}

function readPayments(on: OldDamage, folder: string, now: number): RecordReader[] {
  return [
    {
      kind: 'cashier-session',
      async *read() {
        const files = readStates(on, join(folder, 'sessions'), ['kept', 'erased'], ['kept']);
        for await (const { record } of files) yield record;
      },
    },
    {
      kind: 'payment',
      async *read() {
        const files = readStates(on, folder, statesInOrder);
        for await (const { state, record } of files) yield { ...record, state };
      },
    },
    listed('payment-answer', async () => {
      type Answer = { readonly body: string; readonly answer: object; readonly at: number };
      const found = [];
      const files = readStates<Answer>(on, join(folder, 'idempotency'), ['kept']);
      for await (const { id: name, record } of files) {
        const { body, answer, at } = record;
        if (at + keptFor > now) found.push({ name, body, answer, expires: at + keptFor });
      }
      return found.sort((a, b) => compareTexts(a.name, b.name));
    }),
  ];
}

interface KeptRecord<T> {
  readonly id: string;
  readonly revision: number;
  readonly record: T;
}

/** The records of some states, one after the other: by day where it was kept so, then by id. */
async function* readStates<T extends object>(
  on: OldDamage,
  folder: string,
  states: readonly string[],
  wanted: readonly string[] = states,
): AsyncGenerator<KeptRecord<T> & { readonly state: string }> {
  for (const state of wanted) {
    for (const path of await pathsIn(join(folder, state))) {
      const name = basename(path);
      // A process that died while it moved a record has left two files.
      const others = states.flatMap((each) => [
        join(folder, each, name),
        join(folder, each, 'by-id', name),
      ]);
      const read = async (each: string) => (await readJson(on, each)) as KeptRecord<T> | undefined;
      const [file, ...more] = await Promise.all([path, ...others].map(read));
      if (file && more.every((other) => !other || other.revision <= file.revision)) {
        yield { ...file, state };
      }
    }
  }
}

async function* readDeliveries(on: OldDamage, folder: string): AsyncGenerator<Delivery> {
  const claimed: Delivery[] = [];
  for (const owner of await listFolder(systemFiles, join(folder, 'sending'))) {
    for (const path of await pathsIn(join(folder, 'sending', owner))) {
      const delivery = await readDelivery(on, path);
      if (delivery) claimed.push(delivery);
    }
  }
  for (const state of deliveryStates) {
    const own = join(folder, state);
    // What a process had claimed when it died lies where its content says.
    const strays = new Map(
      claimed
        .filter((each) => each.state === state)
        .map((each) => [
          join(own, state === 'pending' ? '' : keptDay(each), `${each.id}.json`),
          each,
        ]),
    );
    for (const path of [...new Set([...strays.keys(), ...(await pathsIn(own))])].sort()) {
      const delivery = strays.get(path) ?? (await readDelivery(on, path));
      if (!delivery) continue;
      // After a power cut the last line may be gone: the folder then still says how it ended.
      yield state === 'pending' ? delivery : { ...delivery, state, nextAttemptAt: null };
    }
  }
}

/** A delivery makes sense as a whole only: damage to a line leaves it out. */
async function readDelivery(on: OldDamage, path: string): Promise<Delivery | undefined> {
  let delivery: Delivery | undefined;
  try {
    type Line = Delivery & { readonly attempt: Delivery['attempts'][number] };
    for await (const line of readLines<Line>(throwIt, path)) {
      const { attempt, ...changed } = line;
      const attempts = [...(delivery?.attempts ?? []), attempt];
      delivery = delivery ? { ...delivery, ...changed, attempts } : line;
    }
    delivery ??= (await readJson(throwIt, path)) as Delivery | undefined;
  } catch (error) {
    await on(asDamage(error), path, (await readBytes(systemFiles, path)) ?? Buffer.alloc(0));
    return undefined;
  }
  return delivery && (renewDelivery(delivery) as Delivery);
}

/** The files of records in a folder and in those of its days, rising. */
async function pathsIn(folder: string): Promise<string[]> {
  const days = (await listFolder(systemFiles, folder)).filter(isDay);
  const found = [folder, ...days.map((day) => join(folder, day))].map(async (place) => {
    const names = await listFolder(systemFiles, place);
    return names.filter(isRecordName).map((name) => join(place, name));
  });
  return (await Promise.all(found)).flat();
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
    for (const line of some) {
      // Without checksums every line is "damaged"; one without its line break was never acknowledged.
      const bytes = bytesOf(line);
      if (line.end - line.start === bytes.length) return;
      const value = await parse(on, path, `${path}, line ${line.number}`, bytes);
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
