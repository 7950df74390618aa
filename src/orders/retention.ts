import type { Clock } from '../base/clock.js';
import { every } from '../base/every.js';
import type { Logger } from '../base/log.js';
import type { MoneyClock } from '../base/money-clock.js';
import { dayText, hasDetails, type Order } from './order.js';
import type { OrderStore } from './store.js';

export interface OrderRetentionOptions {
  readonly store: OrderStore;
  /** Time for which ended orders are kept, in milliseconds; Infinity = permanently. */
  readonly retention: number;
  /** Time for which customers' details are kept after an order was completed or cancelled, in milliseconds. */
  readonly contactRetention: number;
  readonly clock: Clock;
  readonly deletionTime: MoneyClock['deletionTime'];
  readonly log: Logger;
}

/** Milliseconds between removals. They go by the UTC day, so hours matter little. */
const roundEvery = 3_600_000;

/** Milliseconds between erasures of contact details, which read every order. */
const erasedEvery = 86_400_000;

/**
 * Periodically removes orders that ended on a UTC day before the retention began, expired keys, and customers' details
 * whose time is up, until `signal` aborts. Orders that have not ended always stay.
 */
export async function keepOrdersTidy(
  options: OrderRetentionOptions,
  signal: AbortSignal,
): Promise<void> {
  const { store, retention, contactRetention: life, clock, deletionTime, log } = options;

  // Erasure protects people, so it depends on the wall clock alone and does not wait until that is certain.
  async function erase(): Promise<void> {
    const erased = await eraseContacts({ store, life, now: clock.now(), signal });
    if (erased > 0) log.info({ erased }, 'Erased the contact details of old orders.');
  }

  async function removeOld(): Promise<void> {
    const now = await deletionTime();
    if (now === undefined) return;
    await store.removeExpiredKeys(now);
    const before = dayText(Math.max(0, now - retention));
    const removed = await store.removeEndedBefore(before);
    if (removed > 0) log.info({ removed, before }, 'Removed orders past their retention.');
  }
  const running = { clock, signal };
  const warn = (message: string) => (err: unknown) => log.warn({ err }, message);
  // Neither waits for the other: a damaged order must not keep the others.
  await Promise.all([
    every(roundEvery, removeOld, {
      ...running,
      onError: warn('Could not remove old orders; retrying later.'),
    }),
    every(erasedEvery, erase, {
      ...running,
      onError: warn('Could not erase old contact details; retrying later.'),
    }),
  ]);
}

/** Orders that one step reads. */
const pageSize = 100;

/** Time after which the details of a customer whose order was not paid are erased, in milliseconds. */
const unpaidLife = 7 * 86_400_000;

export interface ErasureOptions {
  readonly store: Pick<OrderStore, 'page' | 'change'>;
  /** Time for which details are kept after an order was completed or cancelled, in milliseconds. */
  readonly life: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly signal: AbortSignal;
}

/** Erases the contacts, addresses and notes whose time is up, and returns the number of these orders. */
export async function eraseContacts(options: ErasureOptions): Promise<number> {
  const { store, signal } = options;
  let erased = 0;
  let after: Order | undefined;
  for (let hasMore = true; hasMore && !signal.aborted; ) {
    const page = await store.page({ after, limit: pageSize });
    for (const { id } of page.orders.filter((order) => isDue(order, options))) {
      await store.change(id, (order) =>
        isDue(order, options) ? withoutContact(order) : undefined,
      );
      erased += 1;
    }
    after = page.orders.at(-1);
    hasMore = page.hasMore;
  }
  return erased;
}

/** Returns true if an order has details of its customer whose time is up. */
export function isDue(order: Order, { life, now }: Pick<ErasureOptions, 'life' | 'now'>): boolean {
  const { fulfillment, status, changedAt, endedAt } = order;
  if (!hasDetails(order) || endedAt === null) return false;
  if (status !== 'paid') return now - endedAt >= unpaidLife;
  const isClosed = fulfillment.status === 'completed' || fulfillment.status === 'cancelled';
  return isClosed && now - changedAt >= life;
}

function withoutContact({ contact: _, ...order }: Order): Order {
  return { ...order, note: '', fulfillment: { ...order.fulfillment, address: null } };
}
