import type { CreateRefund, SessionFacts } from '#validators/gateway';
import * as validators from '#validators/gateway';
import type { Clock } from '../../base/clock.js';
import { AppError, type ErrorCode, exitCodes } from '../../base/errors.js';
import { lazy } from '../../base/single-flight.js';
import { isObject } from '../../json/pointers.js';
import type { InvoiceOrder, QrOrder } from '../gateway.js';
import { type RepeatKey, repeatKeyOf } from '../idempotency.js';
import { repeatAdvice } from '../intents/intent-errors.js';
import type { ProviderAnswer } from '../providers/provider.js';
import {
  type CashierCalls,
  findRefundKey,
  type GatewayClient,
  type PaymentRecords,
  type SessionPair,
} from './gateway-client.js';
import { type Check, ConnectionFailure, nobodySignedIn } from './remote-failures.js';
import { remoteRecords } from './remote-records.js';
import {
  type Ask,
  createRemoteTransport,
  maxCall,
  query,
  type RemoteOptions,
  type RemoteTransport,
} from './remote-transport.js';

/** Accepts any object, because the provider decides what its answers contain. */
const isProviderAnswer: Check<ProviderAnswer> = isObject;

export interface RemoteClientOptions extends RemoteOptions {
  /** Finds the stored session. Used if the caller passed no session or if that session has ended. */
  findSession?(): Promise<SessionPair | undefined>;
}

/**
 * Creates a client for a remote gateway's HTTP API. It sends nothing before the first call. A call fails with the
 * gateway's error code, or with `payments_unavailable` if the gateway is unreachable or a different server responds.
 */
export function createRemoteClient(options: RemoteClientOptions): GatewayClient {
  const { clock, findSession } = options;
  const transport = createRemoteTransport(options);
  const { origin } = transport;
  const plain = transport.ask;
  /** The most recently used session, which is also used to request the zone. */
  let last: SessionUser | undefined;

  function use(session: SessionPair): SessionUser {
    if (!last || !isSame(last.session, session)) last = signedIn(session, transport);
    return last;
  }

  const records = (session: SessionPair | undefined) => {
    let current = session && use(session);
    return remoteRecords({
      clock,
      ask() {
        if (!current) throw nobodySignedIn();
        return current.ask();
      },
      async renew() {
        const kept = await findSession?.().catch(() => undefined);
        if (kept) current = use(kept);
      },
    });
  };

  return {
    origin,
    async zone() {
      const kept = last?.session ?? (await findSession?.());
      if (!kept) throw nobodySignedIn();
      return (await use(kept).facts()).zone;
    },
    signIn: {
      async start() {
        const path = 'api/auth/init';
        return withoutSuccess(await plain({ path, body: {}, check: isProviderAnswer }));
      },
      async sendPhone(processId, phoneNumber) {
        const path = 'api/auth/send-phone';
        const body = { processId, phoneNumber };
        return withoutSuccess(await plain({ path, body, check: isProviderAnswer }));
      },
      async verifyOtp(processId, otp) {
        const path = 'api/auth/verify-otp';
        const body = { processId, otp };
        const { success, ...session } = await plain({ path, body, check: validators.SignedIn });
        return session;
      },
    },
    async cashier(session) {
      const { ask, facts } = use(session);
      return remoteCashier({ ask: ask(), records: records(session), clock, facts });
    },
    records,
    // The gateway sends webhooks itself.
    sendWebhooks: async () => [],
    async close() {
      transport.close();
    },
  };
}

/** A session in use. */
interface SessionUser {
  readonly session: SessionPair;
  /** Throws `not_signed_in` if no gateway can have issued the session. */
  ask(): Ask;
  /** Requested once. A failed request is repeated on the next call. */
  facts(): Promise<SessionFacts>;
}

function signedIn(session: SessionPair, transport: RemoteTransport): SessionUser {
  const ask = () => transport.as(session);
  const facts = lazy(() => ask()({ path: 'api/session', check: validators.SessionFacts }));
  return { session, ask, facts: facts.get };
}

function isSame(one: SessionPair, other: SessionPair): boolean {
  return one.tokenSN === other.tokenSN && one.vtokenSecret === other.vtokenSecret;
}

/** Returns the provider's answer without the `success` that the HTTP API adds. */
function withoutSuccess(answer: ProviderAnswer): ProviderAnswer {
  const { success, ...rest } = answer;
  return rest;
}

interface RemoteCashierOptions {
  readonly ask: Ask;
  readonly records: PaymentRecords;
  readonly clock: Clock;
  /** Requested once. */
  facts(): Promise<SessionFacts>;
}

/** Creates the calls of a cashier at a remote gateway. */
function remoteCashier({ ask, records, clock, facts }: RemoteCashierOptions): CashierCalls {
  const read = (path: string) => ask({ path, check: isProviderAnswer });
  const post = (path: string, body: object) => ask({ path, body, check: isProviderAnswer });

  /** Sends a request that moves money. The gateway reads the profile only from a header. */
  function pay(
    path: string,
    { profileId, ...body }: InvoiceOrder | QrOrder | (CreateRefund & { profileId?: undefined }),
    repeat: RepeatKey = repeatKeyOf(''),
  ): Promise<ProviderAnswer> {
    const headers = {
      ...(profileId === undefined ? {} : { 'X-Profile-Id': String(profileId) }),
      'Idempotency-Key': repeat.key,
    };
    const send = (timeout: number) =>
      ask({ path, body, headers, timeout, check: isProviderAnswer });
    return askForMoney({ repeat, clock, send });
  }

  return {
    async facts() {
      const { zone, ...cashier } = await facts();
      return cashier;
    },
    findClient: (phone) => read(`api/invoice/client-info?${query({ phoneNumber: phone })}`),
    createInvoice: (order, repeat) => pay('api/invoice/create', order, repeat),
    invoiceDetails: (operationId) => read(`api/invoice/details?${query({ operationId })}`),
    cancelInvoice: (operationId) => post('api/invoice/cancel', { operationId }),
    invoiceHistory: () => post('api/invoice/history', {}),
    createQr: (order, repeat) => pay('api/qr/create', order, repeat),
    operations: (period) => post('api/history/operations', period),
    operationDetails: (id, operationMethod) => post('api/history/details', { id, operationMethod }),
    async refundKey(order) {
      const { instance } = await facts();
      return findRefundKey(records, order, instance);
    },
    refund: (order, repeat) => pay('api/refund/create', order, repeat),
    checkSession: () => ask({ path: 'api/session/check', check: validators.SessionCheck }),
    reconcile: (day, signal) =>
      ask({
        path: `api/reconciliation?${query({ day })}`,
        signal,
        check: validators.Differences,
      }),
    adopt({ id, type, intentId: intent }) {
      const body = { id, ...(type ? { type } : {}), ...(intent ? { intent } : {}) };
      return ask({ path: 'api/payments/adopt', body, check: validators.PaymentAdopted });
    },
    async logOut() {
      // Logging out always succeeds, so the session is validated first.
      await ask({ path: 'api/session', check: validators.SessionFacts });
      await post('api/auth/logout', {});
    },
  };
}

interface MoneyRequest {
  readonly repeat: RepeatKey;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Sends the request; `timeout` is in milliseconds. */
  send(timeout: number): Promise<ProviderAnswer>;
}

/** Minimum remaining time for a second attempt, in milliseconds. */
const minTime = 1_000;

/**
 * Sends a request that moves money. If the connection breaks before any response, retries the request once under the
 * same key, so that the money moves only once. An error without a known outcome has `outcome: "unknown"` and the key.
 */
async function askForMoney({ repeat, clock, send }: MoneyRequest): Promise<ProviderAnswer> {
  const { key } = repeat;
  const since = clock.monotonic();
  try {
    return await send(maxCall);
  } catch (error) {
    const timeout = maxCall - (clock.monotonic() - since);
    const isBroken = error instanceof ConnectionFailure && error.stage === 'broken';
    if (!isBroken || timeout < minTime) throw classified(error, { key, isFirst: true });
    return send(timeout).catch((second: unknown) => {
      throw classified(second, { key, isFirst: false });
    });
  }
}

interface Attempt {
  readonly key: string;
  /** False if the gateway may have received an earlier request under the key. */
  readonly isFirst: boolean;
}

/**
 * Returns the error unchanged if it proves that no money has moved. Otherwise, returns an error with an unknown
 * outcome.
 */
function classified(error: unknown, { key, isFirst }: Attempt): unknown {
  if (!(error instanceof AppError)) return error;
  if (error.fields.outcome === 'unknown') return gatewayDoubt(error, key);
  const isClear =
    error instanceof ConnectionFailure
      ? error.stage === 'unsent' && isFirst
      : isFirst
        ? !unclear.has(error.code)
        : clearAgain.has(error.code);
  return isClear ? error : doubtful(error, key);
}

/** Codes of failures that occur while the gateway is processing the request. */
const unclear: ReadonlySet<ErrorCode> = new Set(['internal_error', 'payments_unavailable']);

/** Codes about the request itself, which therefore apply to an earlier attempt as well. */
const clearAgain: ReadonlySet<ErrorCode> = new Set([
  'bad_request',
  'validation_failed',
  'not_found',
  'conflict',
  'refused',
  'provider_error',
  'session_ended',
]);

function doubtful(error: AppError, key: string): AppError {
  const isInterrupted = error.code === 'interrupted';
  const cause = isInterrupted
    ? new AppError('in_doubt', 'The request was interrupted before the gateway responded.', {
        cause: error,
      })
    : error;
  return unknown(cause, `${cause.message} ${repeatAdvice}`, { key, cause });
}

/** Returns the gateway's error with an unknown outcome. The cause omits the advice for API clients. */
function gatewayDoubt(error: AppError, key: string): AppError {
  const { code, message, details, fields } = error;
  const reason = message.endsWith(` ${repeatAdvice}`)
    ? message.slice(0, -repeatAdvice.length - 1)
    : message;
  const cause = new AppError(code, reason, { ...(details ? { details } : {}), fields });
  return unknown(error, message, { key, cause });
}

function unknown(
  { code, details, fields, hint }: AppError,
  message: string,
  { key, cause }: { readonly key: string; readonly cause: AppError },
): AppError {
  return new AppError(code, message, {
    ...(details ? { details } : {}),
    ...(hint === undefined ? {} : { hint }),
    fields: { ...fields, outcome: 'unknown' },
    headers: { 'Idempotency-Key': key },
    exitCode: exitCodes.outcomeUnknown,
    cause,
  });
}
