import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  mkdir,
  readdir,
  readFile,
  rename,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FileLayer, systemFiles } from '../../src/base/files/file-layer.js';
import {
  type Attempt,
  afterAttempt,
  createDelivery,
  type Delivery,
} from '../../src/events/delivery.js';
import { subjectOf } from '../../src/events/event.js';
import type { DeliveryStore } from '../../src/events/store.js';
import { createJsonDeliveryStore } from '../../src/events/store-json/open.js';
import { encodeLine } from '../../src/storage/json/lines/lines.js';
import { pendingIn } from '../helpers/delivery-store.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { sampleEvent } from './samples.js';

const delays = [0, 5_000, 30_000];
const subscription = { id: 'sub_1', displayUrl: 'http://a.example/' };
const clock = createManualClock();

function makeDelivery(paymentId = '1001'): Delivery {
  return createDelivery(sampleEvent({ paymentId }), subscription, delays);
}

function attempt(delivery: Delivery, error: string | null, replay = false): Attempt {
  const number = delivery.attempts.length + 1;
  const status = error === null ? 200 : 500;
  return { number, at: delivery.occurredAt, durationMs: 1, status, error, response: 'ы', replay };
}

function open(folder: string, files: FileLayer = systemFiles) {
  return createJsonDeliveryStore({ folder, clock, label: 'test', files });
}

async function all(store: DeliveryStore): Promise<Delivery[]> {
  const found: Delivery[] = [];
  for await (const delivery of store.list()) found.push(delivery);
  return found;
}

async function settle(store: DeliveryStore, error: string | null, replay = false) {
  const [before] = await all(store);
  const claimed = before && (await store.claim(before.id, [before.state]));
  if (!claimed) throw new Error('The delivery could not be claimed.');
  const { record: delivery } = claimed;
  const next = afterAttempt(delivery, attempt(delivery, error, replay), delays);
  await claimed.settle(next);
  return next;
}

describe('a JSON delivery store', () => {
  it('stores every attempt in all states, for this process and the next one', async () => {
    const folder = await makeTempFolder();
    const store = await open(folder);
    expect(await store.add(makeDelivery())).toBe(true);
    expect(await store.add(makeDelivery())).toBe(false);
    for (const error of ['one', 'two', 'three']) {
      const next = await settle(store, error);
      expect(await all(store)).toEqual([next]);
      expect(await all(await open(folder))).toEqual([next]);
      expect(await store.add(makeDelivery())).toBe(false);
    }
    expect(await all(store)).toMatchObject([{ state: 'dropped' }]);
    const delivered = await settle(store, null, true);
    expect(await store.read(delivered.id)).toEqual(delivered);
    expect(delivered.attempts.map(({ error }) => error)).toEqual(['one', 'two', 'three', null]);
    expect(await store.add(makeDelivery())).toBe(false);
    expect(await pendingIn(store)).toEqual([]);
  });

  it('allows only one of many processes to claim a delivery and release it unchanged', async () => {
    const folder = await makeTempFolder();
    const stores = await Promise.all([open(folder), open(folder), open(folder)]);
    const delivery = makeDelivery();
    await stores[0].add(delivery);
    const claims = await Promise.all(stores.map((store) => store.claim(delivery.id, ['pending'])));
    const won = claims.filter((claim) => claim !== undefined);
    expect(won).toHaveLength(1);
    await won[0]?.release();
    expect(await pendingIn(stores[1])).toEqual([delivery.id]);
    expect(await all(stores[2])).toEqual([delivery]);
  });

  it('keeps a file short even after many replays', async () => {
    const folder = await makeTempFolder();
    const store = await open(folder);
    await store.add(makeDelivery());
    let last = await settle(store, null);
    for (let replays = 0; replays < 120; replays++) last = await settle(store, 'no', true);
    expect(await all(store)).toEqual([last]);
    expect(last.attempts).toHaveLength(100);
    const day = join(folder, 'delivered', last.endedAt?.slice(0, 10) ?? '');
    const text = await readFile(join(day, `${last.id}.jsonl`), 'utf8');
    expect(text.split('\n').length).toBeLessThan(25);
  });

  it('drops a truncated line and continues after it', async () => {
    const folder = await makeTempFolder();
    const store = await open(folder);
    const delivery = makeDelivery();
    await store.add(delivery);
    const first = await settle(store, 'one');
    const path = join(folder, 'pending', `${delivery.id}.jsonl`);
    await appendFile(path, '{"attempt":{"number":2,"at":"20');
    expect(await all(store)).toEqual([first]);
    const second = await settle(store, 'two');
    expect(await all(store)).toEqual([second]);
    expect(await all(await open(folder))).toEqual([second]);
  });

  it('uses the folder of a delivered record whose last line was lost in a power cut', async () => {
    const folder = await makeTempFolder();
    const store = await open(folder);
    const delivery = makeDelivery();
    await store.add(delivery);
    const whole = (await readFile(join(folder, 'pending', `${delivery.id}.jsonl`))).length;
    const { endedAt } = await settle(store, null);
    const path = join(folder, 'delivered', endedAt?.slice(0, 10) ?? '', `${delivery.id}.jsonl`);
    await truncate(path, whole);
    expect(await all(store)).toMatchObject([{ state: 'delivered', nextAttemptAt: null }]);
  });

  const line = (value: object) => encodeLine(JSON.stringify(value));
  const stored = line({ id: makeDelivery().id, record: makeDelivery() });
  it.each([
    ['no content', '', 'line 1'],
    ['a different structure', line({ id: makeDelivery().id, record: { id: 1 } }), 'line 1'],
    ['invalid JSON', 'nonsense', 'line 1'],
    ['a different ID', line({ id: 'x', record: makeDelivery() }), 'line 1'],
    ['an invalid change', `${stored}${line({ change: { attempt: 1 } })}`, 'line 2'],
  ])('reports the file and line of a record with %s', async (_, text, location) => {
    const folder = await makeTempFolder();
    const store = await open(folder);
    const { id } = makeDelivery();
    await writeFile(join(folder, 'pending', `${id}.jsonl`), text);
    await expect(store.read(id)).rejects.toMatchObject({
      code: 'data_damaged',
      message: expect.stringContaining(location),
    });
    await expect(store.claim(id, ['pending'])).rejects.toMatchObject({ code: 'data_damaged' });
    expect(await pendingIn(store)).toEqual([id]);
  });

  it('overwrites a partial record that a full disk left behind', async () => {
    const folder = await makeTempFolder();
    let full = false;
    const files: FileLayer = {
      ...systemFiles,
      async open(path, flags, mode) {
        const file = await systemFiles.open(path, flags, mode);
        const write = file.write.bind(file) as (
          bytes: Uint8Array,
          offset: number,
          length: number,
          position: number,
        ) => ReturnType<typeof file.write>;
        const limited = async (bytes: Uint8Array, offset: number, length: number, at: number) => {
          if (!full) return write(bytes, offset, length, at);
          await write(bytes, offset, 10, at);
          throw Object.assign(new Error('full'), { code: 'ENOSPC' });
        };
        return Object.assign(file, { write: limited });
      },
    };
    const store = await open(folder, files);
    const delivery = makeDelivery();
    await store.add(delivery);
    const claimed = await store.claim(delivery.id, ['pending']);
    const next = afterAttempt(delivery, attempt(delivery, 'no'), delays);
    full = true;
    await expect(claimed?.settle(next)).rejects.toMatchObject({ code: 'storage_unavailable' });
    await expect(store.add(makeDelivery('other'))).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
    full = false;
    await claimed?.settle(next);
    expect(await all(store)).toEqual([next]);
    expect(await readdir(join(folder, 'tmp'))).toEqual([]);
  });

  it('takes over the claims of a dead process, but not those of a running one', async () => {
    const folder = await makeTempFolder();
    const [live, next] = [await open(folder), await open(folder)];
    const [first, second] = [makeDelivery('1'), makeDelivery('2')];
    await Promise.all([live.add(first), live.add(second)]);
    await live.claim(first.id, ['pending']);
    // This is the state after a process was killed between claiming and settling.
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    const [owner = ''] = await readdir(join(folder, 'owners'));
    const record = JSON.parse(await readFile(join(folder, 'owners', owner), 'utf8'));
    const dead = 'a'.repeat(24);
    record.nonce = dead;
    record.process.pid = child.pid;
    record.process.started = '1';
    await writeFile(join(folder, 'owners', `${dead}.json`), JSON.stringify(record));
    await mkdir(join(folder, 'claimed', dead));
    const name = `${second.id}.jsonl`;
    await rename(join(folder, 'pending', name), join(folder, 'claimed', dead, name));
    expect(await pendingIn(next)).toEqual([]);
    expect(await all(next)).toHaveLength(2);
    await next.freeAbandoned();
    expect(await pendingIn(next)).toEqual([second.id]);
    expect(await readdir(join(folder, 'claimed'))).toHaveLength(1);
    await live.close();
    expect(await readdir(join(folder, 'claimed'))).toEqual([]);
    expect([...(await pendingIn(next))].sort()).toEqual([first.id, second.id].sort());
  });

  it('finds the payments with undelivered webhooks', async () => {
    const folder = await makeTempFolder();
    const store = await open(folder);
    const add = (paymentId: string) => store.add(makeDelivery(paymentId));
    for (const id of ['1', '2', '3']) await add(id);
    const ids = await pendingIn(store);
    const byPayment = new Map<string, string>();
    for (const id of ids) {
      const delivery = await store.read(id);
      if (delivery) byPayment.set(subjectOf(delivery.facts), id);
    }
    const end = async (payment: string, error: string | null) => {
      const claimed = await store.claim(byPayment.get(payment) ?? '', ['pending']);
      const state = error === null ? 'delivered' : 'dropped';
      const endedAt = '2026-10-19T12:00:00.000Z';
      if (claimed) await claimed.settle({ ...claimed.record, state, endedAt, nextAttemptAt: null });
    };
    await end('2', 'HTTP 500');
    await end('3', null);
    const asked = ['1', '2', '3', '4'].map((id) => ({ type: 'qr', id }) as const);
    const found = (await store.undeliveredOf(asked)).map(({ id }) => id).sort();
    expect(found).toEqual(['1', '2']);
    expect(await store.undeliveredOf([{ type: 'invoice', id: '1' }])).toEqual([]);
    // A webhook that is being sent is not yet delivered.
    await store.claim(byPayment.get('1') ?? '', ['pending']);
    expect(await store.undeliveredOf([{ type: 'qr', id: '1' }])).toHaveLength(1);
  });

  it('removes whole days of delivered records', async () => {
    const folder = await makeTempFolder();
    const store = await open(folder);
    await store.add(makeDelivery());
    const { endedAt } = await settle(store, null);
    const day = endedAt?.slice(0, 10) ?? '';
    expect(await store.removeEndedBefore('delivered', day)).toBe(0);
    expect(await store.removeEndedBefore('delivered', '9999-01-01')).toBe(1);
    expect(await all(store)).toEqual([]);
    await store.add(makeDelivery());
    await settle(store, null);
    expect(await all(store)).toHaveLength(1);
  });
});
