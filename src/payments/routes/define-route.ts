import type * as schema from '#validators/gateway';
import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import type { RateLimiter } from '../../base/rate-limit.js';
import type { Waits } from '../../base/waits.js';
import { ok, type Reply } from '../../http/answer/reply.js';
import {
  type ConcurrencyBounds,
  createConcurrencyLimit,
  cutOff,
} from '../../http/route/concurrency-limit.js';
import type { Authenticator } from '../../http/route/endpoint.js';
import type { RouteLimit } from '../../http/route/route.js';
import { type ApiRequest, routesOf } from '../../http/route/route.js';
import { type RepeatKey, repeatKeyOf } from '../idempotency.js';
import type { Payments } from '../payments.js';
import type { ProviderAnswer } from '../providers/provider.js';
import type { Cashier, Sessions } from '../sessions/sessions.js';

/** What the endpoints of the gateway work with. */
export interface PaymentRouteOptions
  extends Pick<
    Payments,
    | 'signIn'
    | 'sessions'
    | 'gateway'
    | 'findPayments'
    | 'pagePayments'
    | 'changes'
    | 'listEnded'
    | 'refunds'
    | 'intents'
    | 'isKeyTaken'
    | 'underWay'
    | 'adoption'
    | 'instance'
    | 'reconcile'
  > {
  readonly clock: Clock;
  /** IANA zone of the provider, whose days are meant. */
  readonly zone: string;
  /** Counts the requests that are held. */
  readonly waits: Waits;
  readonly rateLimiter: RateLimiter;
}

/** Declares a route of the gateway, which may ask for a cashier who is signed in. */
export const defineRoute = routesOf<typeof schema, { cashier: Cashier }>();

/** The authenticator of what only a cashier may ask. */
export const auth = 'cashier';
export const idempotencyHeader = {
  'Idempotency-Key': 'Makes a repeated request the same request for 24 hours.',
};
/** What answers to a creation say of the key. */
export const keyOfAnswer = {
  'Idempotency-Key':
    'The key that the request is known by: as it was sent, else one that was made for it. The same ' +
    'request with it is no second one.',
};
export const creationHeaders = {
  ...idempotencyHeader,
  'X-Profile-Id': 'Profile of the organization; the one of the session unless told.',
};
export const providerErrors = ['not_found', 'refused', 'provider_error', 'session_ended'] as const;
export const moneyErrors = [
  ...providerErrors,
  'conflict',
  'in_doubt',
  'storage_unavailable',
] as const;
export const idQuery = (description: string) => ({
  type: 'string' as const,
  required: true as const,
  maxLength: 50,
  description,
  example: '1001',
});

/** The profile that a request is for, by its header alone; undefined where it does not say. */
export function profileOf(request: Pick<ApiRequest, 'header'>): number | undefined {
  const text = request.header('x-profile-id');
  if (text === '') return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new AppError('validation_failed', 'A header has a value that is not allowed.', {
    details: [{ path: 'X-Profile-Id', message: 'must be a whole number' }],
  });
}

/** Answers a request that moves money, with the key under which it may be repeated. */
export async function answerMoney(
  request: Pick<ApiRequest, 'header'>,
  perform: (repeat: RepeatKey) => Promise<ProviderAnswer>,
): Promise<Reply> {
  const repeat = repeatKeyOf(request.header('idempotency-key'));
  return { ...ok(await perform(repeat)), headers: { 'Idempotency-Key': repeat.key } };
}

/** What a request says of its session. */
export function pairOf({ header }: Pick<ApiRequest, 'header'>): [string, string] {
  return [header('x-token-sn'), header('x-vtoken-secret')];
}

/** Each step of a sign-in from one address. */
export const perAddress = (step: string): RouteLimit => ({
  rule: { name: `gateway sign-in ${step}`, amount: 60, periodSeconds: 60 },
  by: 'address',
});

/** Reading and ending sessions from one address: every cashier's screen of a shop may do it often. */
export const sessionLimit: RouteLimit = {
  rule: { name: 'gateway session', amount: 3_000, periodSeconds: 60 },
  by: 'address',
};

/** Calls of one cashier session that move money: far above what a busy shop does, with room to catch up. */
export const moneyLimit: RouteLimit = {
  rule: { name: 'gateway money', amount: 1_200, periodSeconds: 60, burst: 6_000 },
  by: 'principal',
};

/** All other calls of one cashier session. */
export const readLimit: RouteLimit = {
  rule: { name: 'gateway reading', amount: 6_000, periodSeconds: 60 },
  by: 'principal',
};

/** The session headers of the contract. */
export function cashierAuthenticator(sessions: Sessions): Authenticator {
  return {
    schemes: {
      tokenSN: {
        type: 'apiKey',
        in: 'header',
        name: 'X-Token-SN',
        description: 'Session token from sign-in.',
      },
      vtokenSecret: {
        type: 'apiKey',
        in: 'header',
        name: 'X-Vtoken-Secret',
        description: 'Encrypted session secret from sign-in.',
      },
    },
    async authenticate(header) {
      const cashier = await sessions.authenticate(header('x-token-sn'), header('x-vtoken-secret'));
      return { ...cashier, logged: { cashier: cashier.session.profileId } };
    },
  };
}

type Room = Pick<ConcurrencyBounds, 'most' | 'mostWaiting'>;

/** How many requests are worked on at once, and how many more wait for their turn. */
interface TurnBounds {
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
    reads: createRequestTurns(readBounds),
    comparisons: createRequestTurns(comparisonBounds),
    decisions: createRequestTurns(decisionBounds),
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
type Turns = <Result>(
  request: Asking,
  work: (signal: AbortSignal) => Promise<Result>,
) => Promise<Result>;

/**
 * Lets a few requests of an organization, and of all together, be worked on at a time; others wait, and beyond too many
 * each further one is `rate_limited`. One counts until its work has ended, also where its client has gone before.
 */
export function createRequestTurns({ ofOrganization, inAll }: TurnBounds): Turns {
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
