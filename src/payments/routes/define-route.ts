import type * as schema from '#validators/gateway';
import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import type { RateLimiter } from '../../base/rate-limit.js';
import type { Waits } from '../../base/waits.js';
import { ok, type Reply } from '../../http/answer/reply.js';
import { type ApiRequest, routesOf } from '../../http/route/route.js';
import { type RepeatKey, repeatKeyOf } from '../idempotency.js';
import type { Payments } from '../payments.js';
import type { ProviderAnswer } from '../providers/provider.js';
import type { Cashier } from '../sessions/sessions.js';

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
