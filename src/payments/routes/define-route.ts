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

/** The services behind the gateway's endpoints. */
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
  /** IANA time zone of the provider. */
  readonly zone: string;
  /** Counts long-polling requests. */
  readonly waits: Waits;
  readonly rateLimiter: RateLimiter;
}

/** Declares a route of the gateway, which may require a signed-in cashier. */
export const defineRoute = routesOf<typeof schema, { cashier: Cashier }>();

/** The authenticator of cashier routes. */
export const auth = 'cashier';
export const idempotencyHeader = {
  'Idempotency-Key': 'Requests with the same key are carried out only once within 24 hours.',
};
export const keyOfAnswer = {
  'Idempotency-Key':
    'The key of the request, as sent or generated. To repeat the request safely, send it with the same key.',
};
export const creationHeaders = {
  ...idempotencyHeader,
  'X-Profile-Id': 'Profile of the organization; the profile of the session by default.',
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

/** Returns the profile in a request's header; undefined if there is none. */
export function profileOf(request: Pick<ApiRequest, 'header'>): number | undefined {
  const text = request.header('x-profile-id');
  if (text === '') return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new AppError('validation_failed', 'A header has an invalid value.', {
    details: [{ path: 'X-Profile-Id', message: 'must be a whole number' }],
  });
}

/** Handles a request that moves money. The response contains the key for repeating the request. */
export async function answerMoney(
  request: Pick<ApiRequest, 'header'>,
  perform: (repeat: RepeatKey) => Promise<ProviderAnswer>,
): Promise<Reply> {
  const repeat = repeatKeyOf(request.header('idempotency-key'));
  return { ...ok(await perform(repeat)), headers: { 'Idempotency-Key': repeat.key } };
}

/** Returns the token and secret of a request's session. */
export function pairOf({ header }: Pick<ApiRequest, 'header'>): [string, string] {
  return [header('x-token-sn'), header('x-vtoken-secret')];
}

/** Requests for each step of a sign-in, per address. */
export const perAddress = (step: string): RouteLimit => ({
  rule: { name: `gateway sign-in ${step}`, amount: 60, periodSeconds: 60 },
  by: 'address',
});

/** Session reads and logouts, per address. Every screen in a shop may send them often. */
export const sessionLimit: RouteLimit = {
  rule: { name: 'gateway session', amount: 3_000, periodSeconds: 60 },
  by: 'address',
};

/** Calls that move money, per cashier session. The limit is far above the volume of a busy shop. */
export const moneyLimit: RouteLimit = {
  rule: { name: 'gateway money', amount: 1_200, periodSeconds: 60, burst: 6_000 },
  by: 'principal',
};

/** All other calls, per cashier session. */
export const readLimit: RouteLimit = {
  rule: { name: 'gateway reading', amount: 6_000, periodSeconds: 60 },
  by: 'principal',
};

/** Creates the authenticator for the session headers of the contract. */
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

type SlotBounds = Pick<ConcurrencyBounds, 'most' | 'maxWaiting'>;

/** Maximum numbers of concurrent and waiting requests. */
interface TurnBounds {
  readonly ofOrganization: SlotBounds;
  readonly inAll: SlotBounds;
}

/** Maximum number of concurrent and waiting reads of all stored records: refund lists, intent lists and reports. */
const readBounds: TurnBounds = {
  ofOrganization: { most: 2, maxWaiting: 50 },
  inAll: { most: 8, maxWaiting: 500 },
};

/** Maximum number of concurrent and waiting comparisons with the provider. Each one may call it a thousand times. */
const comparisonBounds: TurnBounds = {
  ofOrganization: { most: 1, maxWaiting: 5 },
  inAll: { most: 4, maxWaiting: 50 },
};

/**
 * Maximum number of concurrent and waiting decisions about money in doubt. Each organization has one at a time, so that
 * each decision takes the previous one into account.
 */
const decisionBounds: TurnBounds = {
  ofOrganization: { most: 1, maxWaiting: 20 },
  inAll: { most: 16, maxWaiting: 200 },
};

export type GatewayTurns = ReturnType<typeof createGatewayTurns>;

/** Creates the concurrency limits of the gateway's expensive requests. */
export function createGatewayTurns() {
  return {
    reads: createRequestTurns(readBounds),
    comparisons: createRequestTurns(comparisonBounds),
    decisions: createRequestTurns(decisionBounds),
  };
}

const refusal = {
  message: 'Too many requests of this kind are waiting.',
  hint: 'Wait until one of them has ended before you send another.',
};

type TurnRequest = Pick<ApiRequest<unknown, Cashier>, 'principal' | 'signal'>;

/**
 * Runs the work of a request when a slot is free. `signal` aborts when the client disconnects or the server stops. If
 * the work throws the signal's reason, the request is reported as cut off.
 */
type Turns = <Result>(
  request: TurnRequest,
  work: (signal: AbortSignal) => Promise<Result>,
) => Promise<Result>;

/**
 * Limits the concurrent requests per organization and in total. Further requests wait, and fail with `rate_limited` if
 * too many are waiting. A request occupies its slot until its work has ended, even if its client has disconnected.
 */
export function createRequestTurns({ ofOrganization, inAll }: TurnBounds): Turns {
  const perOrganization = createConcurrencyLimit({ ...ofOrganization, refusal });
  const all = createConcurrencyLimit({ ...inAll, refusal });
  return async function inTurn({ principal, signal }, work) {
    const ends: (() => void)[] = [];
    const held = { signal, whenAnswered: (end: () => void) => ends.push(end) };
    try {
      await perOrganization.take(String(principal.session.organizationId), held);
      await all.take('', held);
      return await work(signal());
    } catch (error) {
      throw signal().aborted && error === signal().reason ? cutOff(signal()) : error;
    } finally {
      for (const end of ends) end();
    }
  };
}
