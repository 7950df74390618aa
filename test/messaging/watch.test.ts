import { expect, it } from 'vitest';
import { createWaits } from '../../src/base/waits.js';
import { createListWaits } from '../../src/messaging/list-waits.js';
import type { Change } from '../../src/messaging/store.js';
import { createWatch, maxLists } from '../../src/messaging/watch.js';
import { createManualClock } from '../helpers/manual-clock.js';

/** Creates lists that a test can change. Each list depends on one chat and on the profile of another user. */
function setUp() {
  const listeners = new Set<(change: Change) => void>();
  const changes = {
    on(listener: (change: Change) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const watch = createWatch(changes);
  const clock = createManualClock();
  const { untilChanged } = createListWaits({ clock, waits: createWaits(), watch });
  const versions = new Map<number, number>();
  const gone = new AbortController();
  const report = (change: Change) => {
    for (const listener of listeners) listener(change);
  };
  const tagOf = (user: number) => `"${user} ${versions.get(user) ?? 0}"`;
  const wait = (
    user: number,
    known = tagOf(user),
    during = async () => {},
    before = async () => {},
  ) =>
    untilChanged(user, {
      wait: 30,
      confirm: async () => {},
      signal: () => gone.signal,
      isKnown: (tag) => tag === known,
      async read(track) {
        await before();
        const { tag } = await track(async () => {
          const read = tagOf(user);
          await during();
          return { tag: read, chats: [user * 10], people: [user, user + 1] };
        });
        return { tag, answer: tag === known ? undefined : `list ${tag}` };
      },
    });
  return {
    watch,
    clock,
    wait,
    report,
    listeners,
    gone,
    /** Changes a user's list. The test must report the change. */
    change: (user: number) => versions.set(user, (versions.get(user) ?? 0) + 1),
  };
}

const users = Array.from({ length: 200 }, (_, n) => n + 1);

it('a change reloads only the lists that depend on it', async () => {
  const { watch, clock, wait, report, change } = setUp();
  const waiting = users.map((user) => wait(user));
  await clock.settle();
  expect(watch.counts.readings).toBe(200);
  change(7);
  for (const other of [{ chat: 70 }, { chat: 71 }, { list: 777 }, { person: 999 }] as const) {
    report(other);
  }
  expect(await waiting[6]).toEqual({ tag: '"7 1"', answer: 'list "7 1"' });
  expect(watch.counts.readings).toBe(201);
  change(8);
  change(9);
  report({ person: 9 });
  expect((await waiting[7])?.answer).toBe('list "8 1"');
  expect((await waiting[8])?.answer).toBe('list "9 1"');
  expect(watch.counts.readings).toBe(203);
  await clock.advance(30_000);
  const others = await Promise.all(waiting);
  expect(others.filter(({ answer }) => answer === undefined)).toHaveLength(197);
  expect(watch.counts.readings).toBe(203);
});

it('a wait continues until its original timeout if the list has not changed', async () => {
  const { watch, clock, wait, report } = setUp();
  const waiting = wait(3);
  await clock.advance(20_000);
  report({ chat: 30 });
  await clock.settle();
  expect(watch.counts.readings).toBe(2);
  await clock.advance(10_000);
  expect(await waiting).toEqual({ tag: '"3 0"', answer: undefined });
  expect(watch.counts.readings).toBe(2);
});

it('many waits of one user read the list only once, and the next wait does not read it', async () => {
  const { watch, clock, wait, report, change } = setUp();
  await wait(3, 'none');
  const waiting = Array.from({ length: 50 }, () => wait(3));
  await clock.settle();
  expect(watch.counts.readings).toBe(1);
  await clock.advance(30_000);
  await Promise.all(waiting);
  const next = wait(3);
  await clock.settle();
  expect(watch.counts.readings).toBe(1);
  change(3);
  report({ list: 3 });
  expect((await next).answer).toBe('list "3 1"');
});

it('an unknown change reloads every list', async () => {
  const { watch, clock, wait, report, change } = setUp();
  const waiting = users.map((user) => wait(user));
  await clock.settle();
  change(5);
  report('unknown');
  expect((await waiting[4])?.answer).toBe('list "5 1"');
  await clock.settle();
  expect(watch.counts.readings).toBe(400);
});

it('a change while a list is being read is not missed', async () => {
  const { watch, clock, wait, report, change } = setUp();
  let readings = 0;
  const waiting = wait(3, undefined, async () => {
    if (readings++ > 0) return;
    change(3);
    report({ chat: 30 });
  });
  expect((await waiting).answer).toBe('list "3 1"');
  const unconcerned = wait(4, undefined, async () => report({ chat: 30 }));
  await clock.settle();
  expect(watch.counts.readings).toBe(3);
  await clock.advance(30_000);
  await unconcerned;
});

it('a list is read again if too many changes occurred while it was being read', async () => {
  const { watch, wait, report, gone } = setUp();
  const waiting = wait(3, undefined, async () => {
    if (watch.counts.readings > 1) return;
    for (let chat = 1000; chat <= 11_000; chat += 1) report({ chat });
    expect(watch.current(3)).toBeUndefined();
  });
  await expect.poll(() => watch.counts.readings).toBe(2);
  gone.abort();
  await waiting;
});

it('the number of concurrent readings is limited, and a blocked reading does not block other users', async () => {
  const { watch, clock, wait } = setUp();
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const kept = users.map((user) => wait(user, 'none', undefined, () => gate));
  await clock.settle();
  expect((await wait(500, 'none')).answer).toBe('list "500 0"');
  let [running, max] = [0, 0];
  const busy = users.map((user) =>
    wait(1000 + user, 'none', async () => {
      running += 1;
      max = Math.max(max, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    }),
  );
  await Promise.all(busy);
  expect(max).toBe(64);
  expect(watch.counts.readings).toBe(201);
  open();
  await Promise.all(kept);
});

it('a wait ends when its signal aborts, and closing removes the storage listener', async () => {
  const { watch, clock, wait, gone, listeners } = setUp();
  const waiting = wait(3);
  await clock.settle();
  gone.abort();
  expect((await waiting).answer).toBeUndefined();
  expect(clock.sleepers).toBe(0);
  expect(listeners.size).toBe(1);
  watch.close();
  expect(listeners.size).toBe(0);
});

it('lists without waits are tracked up to a limit, and the oldest are dropped first', async () => {
  const { watch, wait } = setUp();
  for (let user = 1; user <= maxLists + 10; user += 1) await wait(user, 'none');
  expect(watch.counts.remembered).toBe(maxLists);
  expect(watch.current(10)).toBeUndefined();
  expect(watch.current(11)).toBeDefined();
});

it("a chat's listeners are woken until they unsubscribe", () => {
  const { watch, report } = setUp();
  let woken = 0;
  const wake = () => {
    woken += 1;
  };
  const stops = [1, 1, 2].map((chat) => watch.onChat(chat, wake));
  report({ chat: 1 });
  expect(woken).toBe(2);
  stops[0]?.();
  report({ chat: 1 });
  report('unknown');
  expect(woken).toBe(5);
  for (const stop of stops) stop();
  report('unknown');
  expect(woken).toBe(5);
});
