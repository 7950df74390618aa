import type { Payment } from '../payment.js';

/** A payment that another watcher has handed over. */
export interface HandedOver {
  readonly payment: Payment;
  /** When the next poll of it is due, in milliseconds since the epoch. */
  readonly dueAt: number;
}

/** So many payments for this watcher. */
export interface Share {
  readonly to: string;
  readonly count: number;
}

/** How open payments are shared out among several watchers of one storage. */
export interface PaymentBalance {
  /** What others have handed over to this one; whoever hands a payment over polls it no more. */
  takeHandedOver(): Promise<readonly HandedOver[]>;
  /** Lets the others know how many payments are watched here; gives how many to hand to whom. */
  shares(watched: number): Promise<readonly Share[]>;
  /** Hands payments to another watcher, by key, each with when its next poll is due. */
  handOver(to: string, payments: ReadonlyMap<string, number>): Promise<void>;
}

/** How many payments a watcher has. */
export interface WatcherLoad {
  readonly id: string;
  readonly load: number;
}

/** A watcher keeps this much more than its fair share: evening out for less would never come to rest. */
const slackShare = 0.1;
const slackCount = 5;
/** The most payments handed over in one round, so that none takes long. @internal */
const mostInRound = 2_000;

/**
 * What one watcher should hand to the others: nothing up to its fair share and some slack; what is
 * above the fair share otherwise, to those that have less, by how much they lack.
 */
export function sharesOf(watchers: readonly WatcherLoad[], id: string): Share[] {
  const fair = watchers.reduce((sum, { load }) => sum + load, 0) / watchers.length;
  const own = watchers.find((watcher) => watcher.id === id)?.load ?? 0;
  if (own <= fair * (1 + slackShare) + slackCount) return [];
  const needy = watchers.filter(({ load }) => load < fair);
  const lacking = needy.reduce((sum, { load }) => sum + fair - load, 0);
  const surplus = Math.min(own - fair, mostInRound);
  return needy
    .map(({ id: to, load }) => ({ to, count: Math.floor((surplus * (fair - load)) / lacking) }))
    .filter(({ count }) => count > 0);
}
