// Simulates the daily traffic of people and shops on one `serve`: posts with keys, polls, pages, waits and payments.
// Acknowledged results are recorded. Other requests are repeated with their key until they are acknowledged.
import { setTimeout as delay } from 'node:timers/promises';
import { signUp, text } from './api.mjs';

const people = 20;
/** Maximum number of concurrent requests. Further ones are skipped and counted. */
const maxPending = 200;
/** Time between two attempts, in milliseconds. */
const repeatPause = 200;
const patience = 120_000;
/** Time-out of an attempt, in milliseconds. */
const tryTimeout = 20_000;
/** Share of each kind of request, in percent. */
const mix = [
  ['post', 40],
  ['poll', 25],
  ['latest', 20],
  ['list', 10],
  ['look', 3],
  ['sell', 2],
];

/** Creates people with chats, and a cashier, at one `serve`. */
export async function createLoad(served) {
  const members = [];
  for (let n = 0; n < people; n += 1) members.push(await signUp(served.site, 2));
  const cashier = await signInCashier(served.gateway);
  /** Acknowledged message IDs by the number in the message's text. */
  const posted = new Map();
  const sold = new Set();
  /** The newest payments in `sold`. */
  const recent = [];
  const counts = { requests: 0, repeated: 0, leftOut: 0, woken: 0, unclear: 0 };
  /** [start, kind, milliseconds] of requests that succeeded at the first attempt. */
  const latencies = [];
  const lastIds = new Map();
  let number = 0;
  let underWay = 0;
  let isOver = false;

  function post() {
    number += 1;
    const key = `${served.name} ${number}`;
    const mine = number;
    const { token, chats } = anyOf(members);
    const chat = anyOf(chats);
    return insist(key, async (headers) => {
      const body = { text: `${mine} ${text}` };
      const path = `/api/chats/${chat}/messages`;
      const answer = await send(served.site, 'POST', path, { token, body, headers });
      if (answer.ok) {
        posted.set(mine, { id: answer.body.message.id, chat, token });
        lastIds.set(chat, Math.max(lastIds.get(chat) ?? 0, answer.body.message.id));
      }
      return answer;
    });
  }

  function sell() {
    number += 1;
    return insist(`${served.name} ${number}`, async (headers) => {
      const options = { body: { amount: 1500 }, headers: { ...cashier, ...headers } };
      const answer = await send(served.gateway, 'POST', '/api/qr/create', options);
      if (answer.ok) {
        const id = String(answer.body.Data.QrOperationId);
        sold.add(id);
        recent.push(id);
        if (recent.length > 50) recent.shift();
      }
      return answer;
    });
  }

  const read = (query) => () => {
    const { token, chats } = anyOf(members);
    const chat = anyOf(chats);
    const path = `/api/chats/${chat}/messages?${query(chat)}`;
    return send(served.site, 'GET', path, { token });
  };
  const poll = read((chat) => `after=${lastIds.get(chat) ?? 0}`);
  const latest = read(() => 'limit=20');
  const list = () => send(served.site, 'GET', '/api/chats', { token: anyOf(members).token });
  async function look() {
    const payment = anyOf(recent);
    if (payment === undefined) return list();
    return send(served.gateway, 'GET', `/api/payments/${payment}`, { headers: cashier });
  }

  const work = { post, sell, poll, latest, list, look };

  /** Repeats a request with one key until it is acknowledged; returns the response to the first attempt. */
  async function insist(key, ask) {
    const headers = { 'Idempotency-Key': key };
    const first = await ask(headers);
    const until = performance.now() + patience;
    for (let answer = first; !answer.ok; answer = await ask(headers)) {
      counts.repeated += 1;
      if (performance.now() > until) {
        counts.unclear += 1;
        break;
      }
      await delay(repeatPause);
    }
    return first;
  }

  /** Sends one request of the mix. */
  async function doOne() {
    const kind = draw();
    counts.requests += 1;
    const begun = performance.now();
    const answer = await work[kind]();
    if (answer.ok) latencies.push([begun, kind, answer.ms]);
  }

  async function wait({ token, chats: [chat] }) {
    while (!isOver) {
      const path = `/api/chats/${chat}/messages?after=${lastIds.get(chat) ?? 0}&wait=10`;
      const answer = await send(served.site, 'GET', path, { token });
      if (!answer.ok) await delay(repeatPause);
      else if (answer.body.messages.length > 0) {
        counts.woken += 1;
        lastIds.set(chat, answer.body.messages.at(-1).id);
      }
    }
  }
  const waiters = members.map(wait);

  return {
    counts,
    latencies,
    posted,
    sold,
    /** Posts this many messages. */
    async fill(posts) {
      let left = posts;
      await atOnce(async () => {
        while (left > 0) {
          left -= 1;
          await post();
        }
      });
    },
    /** Sends as many requests as possible for the given seconds; returns the number per second. */
    async peak(seconds) {
      const before = counts.requests;
      const until = performance.now() + seconds * 1000;
      await atOnce(async () => {
        while (performance.now() < until) await doOne();
      });
      return (counts.requests - before) / seconds;
    },
    /** Sends this many requests per second, without waiting for responses, until the signal aborts. */
    async steady(perSecond, signal) {
      const begun = performance.now();
      const due = () => ((performance.now() - begun) / 1000) * perSecond;
      for (let started = 0; !signal.aborted; await delay(10)) {
        for (; started < due(); started += 1) {
          if (underWay >= maxPending) {
            counts.leftOut += 1;
            continue;
          }
          underWay += 1;
          void doOne().finally(() => {
            underWay -= 1;
          });
        }
      }
      while (underWay > 0) await delay(100);
    },
    async end() {
      isOver = true;
      await Promise.all(waiters);
    },
  };
}

/** Runs several workers concurrently. */
function atOnce(worker) {
  return Promise.all(Array.from({ length: 16 }, worker));
}

/** Sends a request; returns a failure instead of rejecting. */
async function send(url, method, path, { token, body, headers = {} }) {
  const begun = performance.now();
  try {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...(body ? { 'Content-Type': 'application/json' } : {}),
        ...headers,
      },
      signal: AbortSignal.timeout(tryTimeout),
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const answer = await response.json();
    return { ok: response.ok, body: answer, ms: performance.now() - begun };
  } catch {
    return { ok: false };
  }
}

async function signInCashier(url) {
  const step = async (path, body) =>
    (await send(url, 'POST', `/api/auth/${path}`, { body })).body ?? {};
  const { processId } = await step('init', {});
  await step('send-phone', { phoneNumber: '77011234567', processId });
  const { tokenSN, vtokenSecret } = await step('verify-otp', { otp: '123456', processId });
  return { 'X-Token-SN': tokenSN, 'X-Vtoken-Secret': vtokenSecret };
}

function anyOf(list) {
  return list[Math.floor(Math.random() * list.length)];
}

function draw() {
  let left = Math.random() * 100;
  for (const [kind, share] of mix) {
    left -= share;
    if (left < 0) return kind;
  }
  return 'list';
}
