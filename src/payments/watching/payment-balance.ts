import type { Payment } from '../payment.js';

/** A payment that another watcher has handed over. */
export interface HandedOver {
  readonly payment: Payment;
  /** When its next poll is due, in milliseconds since the epoch. */
  readonly dueAt: number;
}

/** The number of payments to hand to a watcher. */
export interface Share {
  readonly to: string;
  readonly count: number;
}

/** Distributes open payments among several watchers of one storage. */
export interface PaymentBalance {
  /** Returns the payments that other watchers have handed to this one. They no longer poll them. */
  takeHandedOver(): Promise<readonly HandedOver[]>;
  /** Stores how many payments this watcher has. Returns how many it should hand to which watchers. */
  shares(watched: number): Promise<readonly Share[]>;
  /** Hands payments to another watcher: the due times of their next polls, by key. */
  handOver(to: string, payments: ReadonlyMap<string, number>): Promise<void>;
}

/** The number of payments that a watcher has. */
export interface WatcherLoad {
  readonly id: string;
  readonly load: number;
}

/** A watcher keeps this much more than its fair share, so that the distribution settles. */
const slackShare = 0.1;
const slackCount = 5;
/** The most payments handed over in one round, so that no round takes long. @internal */
const maxPerRound = 2_000;

/**
 * Returns how many payments a watcher should hand to others. Up to its fair share and some slack it keeps all. Otherwise
 * it hands over what exceeds the fair share, to watchers with less, in proportion to what they lack.
 */
export function sharesOf(watchers: readonly WatcherLoad[], id: string): Share[] {
  const fair = watchers.reduce((sum, { load }) => sum + load, 0) / watchers.length;
  const own = watchers.find((watcher) => watcher.id === id)?.load ?? 0;
  if (own <= fair * (1 + slackShare) + slackCount) return [];
  const needy = watchers.filter(({ load }) => load < fair);
  const lacking = needy.reduce((sum, { load }) => sum + fair - load, 0);
  const surplus = Math.min(own - fair, maxPerRound);
  return needy
    .map(({ id: to, load }) => ({ to, count: Math.floor((surplus * (fair - load)) / lacking) }))
    .filter(({ count }) => count > 0);
}
