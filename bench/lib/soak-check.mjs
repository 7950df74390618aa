// Checks that everything acknowledged exists exactly once.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { call } from './api.mjs';

/** Time for the arrival of a payment's event, in milliseconds. It includes the lease of a killed process. */
const eventPatience = 120_000;
/** Time for the arrival of replayed events, in milliseconds. */
const replayPatience = 10_000;

/** Reads every chat backwards; returns how many messages are missing or duplicated. */
export async function checkMessages({ posted }, { site }) {
  const chats = new Map();
  for (const [number, { id, chat, token }] of posted) {
    const known = chats.get(chat) ?? { token, ids: new Map() };
    known.ids.set(number, id);
    chats.set(chat, known);
  }
  let [lost, doubled] = [0, 0];
  for (const [chat, { token, ids }] of chats) {
    const seen = new Set();
    for await (const { id, text } of messagesOf(site, chat, token)) {
      const number = Number.parseInt(text, 10);
      if (seen.has(number)) doubled += 1;
      seen.add(number);
      if (ids.has(number) && ids.get(number) !== id) doubled += 1;
    }
    for (const number of ids.keys()) if (!seen.has(number)) lost += 1;
  }
  return { lost, doubled };
}

async function* messagesOf(site, chat, token) {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const path = `/api/chats/${chat}/messages?limit=100&before=${before}`;
    const { messages, hasMore } = await call(site, 'GET', path, { token });
    yield* messages;
    if (!hasMore || messages.length === 0) return;
    before = Math.min(...messages.map(({ id }) => id));
  }
}

/** Starts a webhook receiver that records the event IDs of each payment. */
export async function startReceiver() {
  const child = fork(fileURLToPath(new URL('soak-receiver.mjs', import.meta.url)));
  const [{ url }] = await once(child, 'message');
  const heard = async () => {
    child.send('events');
    const [{ events }] = await once(child, 'message');
    return new Map(events);
  };
  /** Returns the payments without an event when none are left or the time has expired. */
  const missing = async (payments, patience) => {
    const until = performance.now() + patience;
    for (;;) {
      const events = await heard();
      const silent = payments.filter((payment) => !events.has(payment));
      if (silent.length === 0 || performance.now() > until) return silent;
      await delay(500);
    }
  };
  return {
    url,
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
    /**
     * Returns how many payments have no event, and how many have several. `again` replays events that failed three
     * times, as an operator would do, because a receiver on a busy machine may miss them.
     */
    async check(payments, again) {
      const late = await missing(payments, eventPatience);
      if (late.length > 0) await again();
      const lost = late.length > 0 ? await missing(payments, replayPatience) : [];
      const events = await heard();
      const doubled = payments.filter((payment) => events.get(payment) > 1).length;
      return { lost: lost.length, doubled, replayed: late.length - lost.length };
    },
  };
}
