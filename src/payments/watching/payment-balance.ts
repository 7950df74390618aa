import type { Payment } from '../payment.js';

/** A payment that another watcher has handed over. */
export interface HandedOver {
  readonly payment: Payment;
  /** Due time of its next poll, in milliseconds since the epoch. */
  readonly dueAt: number;
}

/** The number of payments to hand to a watcher. */
export interface Share {
  readonly to: string;
  readonly count: number;
}

/** Distributes open payments among several watchers of one storage. */
export interface PaymentBalance {
  /** Returns the payments that other watchers have handed to this one and no longer poll. */
  takeHandedOver(): Promise<readonly HandedOver[]>;
  /** Stores this watcher's number of payments. Returns the number of payments to hand to each of the other watchers. */
  shares(watched: number): Promise<readonly Share[]>;
  /** Hands payments to another watcher. `payments` maps their keys to the due times of their next polls. */
  handOver(to: string, payments: ReadonlyMap<string, number>): Promise<void>;
}

/** The number of payments that a watcher has. */
export interface WatcherLoad {
  readonly id: string;
  readonly load: number;
}

/** Amount by which a watcher may exceed its fair share, so that the distribution settles. */
const slackShare = 0.1;
const slackCount = 5;
/** Maximum number of payments handed over in one round, so that no round takes long. @internal */
const maxPerRound = 2_000;

/**
 * Returns how many payments a watcher should hand to others. A watcher with at most its fair share plus some slack
 * keeps all. Otherwise, it hands over the payments beyond its fair share to watchers with fewer, in proportion to what
 * they lack.
 */
export function sharesOf(watchers: readonly WatcherLoad[], id: string): Share[] {
  const fair = watchers.reduce((sum, { load }) => sum + load, 0) / watchers.length;
  const load = watchers.find((watcher) => watcher.id === id)?.load ?? 0;
  if (load <= fair * (1 + slackShare) + slackCount) return [];
  const needy = watchers.filter(({ load }) => load < fair);
  const lacking = needy.reduce((sum, { load }) => sum + fair - load, 0);
  const surplus = Math.min(load - fair, maxPerRound);
  return needy
    .map(({ id: to, load }) => ({ to, count: Math.floor((surplus * (fair - load)) / lacking) }))
    .filter(({ count }) => count > 0);
}
