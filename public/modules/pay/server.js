import { browserParts } from '/modules/chat/browser.js';
import { createCall } from '/modules/chat/calls.js';
import { createPauses } from '/modules/chat/pauses.js';
import { createServerClock } from '/modules/pay/server-clock.js';

/** @typedef {ReturnType<typeof connectToServer>} Server */
/** @typedef {import('/modules/pay/keys.js').Wanted} Wanted */
/** @typedef {{ id: string, status: string, createdAt: string }} Order */
/** @typedef {{ section: HTMLElement, title: string }} Drawn */

/** Seconds that the service may hold a question about an order. */
const longestWait = 25;
/** Milliseconds that an answer may take beyond that. */
const patience = 15_000;

/** Failures in a row after which pauses grow no longer: then they take 2 to 4 seconds. */
const mostGrowth = 4;

/** The service as the pages of orders use it. Failures are `ChatError`s. */
export function connectToServer() {
  const parts = browserParts();
  const clock = createServerClock();
  const call = createCall({ ...parts, onDate: clock.learnSecond });
  const pauses = createPauses(parts);
  return {
    clock,
    /** Ends the pauses that nobody asked for. */
    wake: pauses.wake,
    /**
     * Waits before the next try. Somebody looks on: it takes seconds at most, unless the service asks for more.
     *
     * @param {unknown} error
     * @param {number} failures in a row
     * @param {AbortSignal} signal
     */
    pause: (error, failures, signal) =>
      pauses.wait(pauses.after(error, Math.min(failures, mostGrowth)), signal),
    /**
     * Makes an order, or gives the one that the key stands for.
     *
     * @param {Wanted} wanted
     * @param {string} key
     * @param {AbortSignal} signal
     * @returns {Promise<Order>}
     */
    async create(wanted, key, signal) {
      const headers = { 'idempotency-key': key };
      const { body } = await call('POST', '/api/orders', { body: wanted, headers, signal });
      return body.order;
    },
    /**
     * An order as soon as its status changes, or as it is after some time.
     *
     * @param {string} id
     * @param {AbortSignal} signal
     * @returns {Promise<Order>}
     */
    async wait(id, signal) {
      const deadline = longestWait * 1000 + patience;
      const path = `/api/orders/${id}?wait=${longestWait}`;
      return (await call('GET', path, { signal, deadline })).body.order;
    },
    /**
     * An order as the server draws it.
     *
     * @param {string} id
     * @param {AbortSignal} signal
     * @returns {Promise<Drawn>}
     */
    async draw(id, signal) {
      const page = await readPage(`/orders/${id}`, signal);
      const section = page.getElementById('order');
      if (!section) throw new Error('The page of the order has no order.');
      return { section: document.adoptNode(section), title: page.title };
    },
    /** The dialog that orders are paid in. */
    async dialog() {
      const dialog = (await readPage('/orders/dialog')).querySelector('dialog');
      if (!dialog) throw new Error('There is no dialog.');
      return document.adoptNode(dialog);
    },
  };
}

/**
 * A page in the language of this one, which may be another than the browser's.
 *
 * @param {string} path
 * @param {AbortSignal} [signal]
 */
async function readPage(path, signal) {
  const headers = { accept: 'text/html', 'accept-language': document.documentElement.lang };
  const response = await fetch(path, { headers, ...(signal ? { signal } : {}) });
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}
