// Whether everything that was acknowledged is there once.
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { call } from './api.mjs';

/** Milliseconds that events of payments may take: polls, attempts and the lease of a killed process. */
const eventPatience = 120_000;

/** Reads every chat from its end to its beginning; gives how many messages are missing, and how many are there twice. */
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

/** A receiver of webhooks that remembers under which ids it heard of each payment. */
export async function startReceiver() {
  const events = new Map();
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { paymentId } = JSON.parse(Buffer.concat(chunks).toString());
    const ids = events.get(paymentId) ?? new Set();
    events.set(paymentId, ids.add(request.headers['x-webhook-id']));
    response.end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
    /** How many of these payments no event came of, and of how many two. */
    async check(payments) {
      const missing = () => payments.filter((payment) => !events.has(payment)).length;
      const until = performance.now() + eventPatience;
      while (missing() > 0 && performance.now() < until) await delay(500);
      return {
        lost: missing(),
        doubled: payments.filter((payment) => (events.get(payment)?.size ?? 0) > 1).length,
      };
    },
  };
}
