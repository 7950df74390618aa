import { type Body, createCall } from '../../shared/calls.js';
import { badAnswer } from '../../shared/failure.js';
import { createPauses } from '../../shared/pauses.js';
import { sleep } from '../../shared/sleep.js';
import type { OrderedPieces } from './keys.js';
import { createServerClock } from './server-clock.js';

export type Server = ReturnType<typeof connectToServer>;

export interface Order {
  readonly id: string;
  readonly status: string;
  readonly createdAt: string;
}

/** An order as the server draws it. */
export interface Drawn {
  readonly section: HTMLElement;
  readonly title: string;
}

/** Seconds for which the service may hold a request about an order. */
const maxWait = 25;
/** Further milliseconds until an answer must have arrived. */
const patience = 15_000;

/** Failures in a row after which pauses stop growing: they then last 2 to 4 seconds. */
const maxGrowth = 4;

/** Connects the pages of orders to the service. Failures are `CallError`s. */
export function connectToServer() {
  const clock = createServerClock();
  const call = createCall({
    fetch: (url, init) => fetch(url, init),
    sleep,
    onDate: clock.learnSecond,
  });
  const pauses = createPauses({ sleep, random: Math.random });
  return {
    clock,
    /** Ends the pauses that the service has not asked for. */
    wake: pauses.wake,
    /**
     * Waits before the next attempt after that many failures in a row. Because a visitor is watching, this takes a few
     * seconds at most, unless the service asks for more.
     */
    pause: (error: unknown, failures: number, signal: AbortSignal) =>
      pauses.wait(pauses.after(error, Math.min(failures, maxGrowth)), signal),
    /** Creates an order, or returns the one that the key identifies. */
    async create(ordered: OrderedPieces, key: string, signal: AbortSignal): Promise<Order> {
      const headers = { 'idempotency-key': key };
      return orderOf((await call('POST', '/api/orders', { body: ordered, headers, signal })).body);
    },
    /** Returns an order as soon as its status changes, or unchanged after a while. */
    async wait(id: string, signal: AbortSignal): Promise<Order> {
      const deadline = maxWait * 1000 + patience;
      const path = `/api/orders/${id}?wait=${maxWait}`;
      return orderOf((await call('GET', path, { signal, deadline })).body);
    },
    async draw(id: string, signal: AbortSignal): Promise<Drawn> {
      const page = await readPage(`/orders/${id}`, signal);
      const section = page.getElementById('order');
      if (!section) throw new Error('The page of the order has no #order.');
      return { section: document.adoptNode(section), title: page.title };
    },
    /** Returns the payment dialog. */
    async dialog(): Promise<HTMLDialogElement> {
      const dialog = (await readPage('/orders/dialog')).querySelector('dialog');
      if (!dialog) throw new Error('There is no dialog.');
      return document.adoptNode(dialog);
    },
  };
}

function orderOf({ order }: Body): Order {
  if (!isOrder(order)) throw badAnswer('no order');
  return order;
}

function isOrder(value: unknown): value is Order {
  const { id, status, createdAt } = Object(value);
  return [id, status, createdAt].every((member) => typeof member === 'string');
}

/** Reads a page in the language of this one, which may differ from the browser's. */
async function readPage(path: string, signal?: AbortSignal): Promise<Document> {
  const headers = { accept: 'text/html', 'accept-language': document.documentElement.lang };
  const response = await fetch(path, { headers, ...(signal ? { signal } : {}) });
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}
