import {
  type ConcurrencyBounds,
  createConcurrencyLimit,
  cutOff,
} from '../../http/route/concurrency-limit.js';
import type { ApiRequest } from '../../http/route/route.js';
import type { Cashier } from '../sessions/sessions.js';

type Room = Pick<ConcurrencyBounds, 'most' | 'mostWaiting'>;

/** How many requests are worked on at once, and how many more wait for their turn. */
export interface TurnBounds {
  readonly ofOrganization: Room;
  readonly inAll: Room;
}

/** Reads of everything that is stored, at once and waiting: lists of refunds and intents, and reports. */
const readBounds: TurnBounds = {
  ofOrganization: { most: 2, mostWaiting: 50 },
  inAll: { most: 8, mostWaiting: 500 },
};

/** Comparisons with the provider, at once and waiting, each of which calls it up to some thousand times. */
const comparisonBounds: TurnBounds = {
  ofOrganization: { most: 1, mostWaiting: 5 },
  inAll: { most: 4, mostWaiting: 50 },
};

/**
 * Decisions of money in doubt, at once and waiting: one after the other for an organization, so that none overlooks
 * another.
 */
const decisionBounds: TurnBounds = {
  ofOrganization: { most: 1, mostWaiting: 20 },
  inAll: { most: 16, mostWaiting: 200 },
};

/** The turns of the gateway's costly requests. */
export interface GatewayTurns {
  readonly reads: Turns;
  readonly comparisons: Turns;
  readonly decisions: Turns;
}

export function createGatewayTurns(): GatewayTurns {
  return {
    reads: createTurns(readBounds),
    comparisons: createTurns(comparisonBounds),
    decisions: createTurns(decisionBounds),
  };
}

const refusal = {
  message: 'Too many requests of this kind are waiting.',
  hint: 'Let one end before asking for the next.',
};

type Asking = Pick<ApiRequest<unknown, Cashier>, 'principal' | 'signal'>;

/**
 * Does the work of a request when it is its turn. `signal` aborts when the client goes or the server stops: its
 * reason, thrown by the work, is the failure of a request that was cut off.
 */
export type Turns = <Result>(
  request: Asking,
  work: (signal: AbortSignal) => Promise<Result>,
) => Promise<Result>;

/**
 * Lets a few requests of an organization, and of all together, be worked on at a time; others wait, and beyond too many
 * each further one is `rate_limited`. One counts until its work has ended, also where its client has gone before.
 */
export function createTurns({ ofOrganization, inAll }: TurnBounds): Turns {
  const own = createConcurrencyLimit({ ...ofOrganization, refusal });
  const all = createConcurrencyLimit({ ...inAll, refusal });
  return async function inTurn({ principal, signal }, work) {
    const ends: (() => void)[] = [];
    const held = { signal, whenAnswered: (end: () => void) => ends.push(end) };
    try {
      await own.take(String(principal.session.organizationId), held);
      await all.take('', held);
      return await work(signal());
    } catch (error) {
      throw signal().aborted && error === signal().reason ? cutOff(signal()) : error;
    } finally {
      for (const end of ends) end();
    }
  };
}
