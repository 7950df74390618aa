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
  longestCall,
  query,
  type RemoteOptions,
  type RemoteTransport,
} from './remote-transport.js';

/** What the provider has said, whatever it is. */
const isProviderAnswer: Check<ProviderAnswer> = isObject;

export interface RemoteClientOptions extends RemoteOptions {
  /** What is kept of the sign-in by now, where no session was named, or that one has ended meanwhile. */
  findSession?(): Promise<SessionPair | undefined>;
}

/**
 * A gateway on another machine, over its HTTP API. Nothing is sent before it is needed. Failures are those of the gateway
 * itself, by code; where it cannot be reached, or something else answers, `payments_unavailable`.
 */
export function createRemoteClient(options: RemoteClientOptions): GatewayClient {
  const { clock, findSession } = options;
  const transport = createRemoteTransport(options);
  const { origin } = transport;
  const plain = transport.ask;
  /** Whose session was used last: by that one the zone is asked for. */
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
        const { success, ...said } = await plain({ path, body, check: validators.SignedIn });
        return said;
      },
    },
    async cashier(session) {
      const { ask, facts } = use(session);
      return remoteCashier({ ask: ask(), records: records(session), clock, facts });
    },
    records,
    // The gateway sends them itself.
    sendWebhooks: async () => [],
    async close() {
      transport.close();
    },
  };
}

/** Who uses a session. */
interface SessionUser {
  readonly session: SessionPair;
  /** Throws `not_signed_in` where the session is none that a gateway could have made. */
  ask(): Ask;
  /** Asked once; a failure is forgotten. */
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

/** What the HTTP API says beside the provider's answer. */
function withoutSuccess(answer: ProviderAnswer): ProviderAnswer {
  const { success, ...said } = answer;
  return said;
}

interface RemoteCashierOptions {
  readonly ask: Ask;
  readonly records: PaymentRecords;
  readonly clock: Clock;
  /** Who it is; asked once. */
  facts(): Promise<SessionFacts>;
}

/** What the cashier of a session can do at a gateway elsewhere. */
function remoteCashier({ ask, records, clock, facts }: RemoteCashierOptions): CashierCalls {
  const read = (path: string) => ask({ path, check: isProviderAnswer });
  const post = (path: string, body: object) => ask({ path, body, check: isProviderAnswer });

  /** The gateway takes a profile from a header alone. */
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
      const { orgName, phone, organizationId, profileId, instance, sandbox } = await facts();
      return {
        ...{ orgName, phone, organizationId, profileId },
        ...(instance === undefined ? {} : { instance }),
        ...(sandbox ? { sandbox } : {}),
      };
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
      // Signing out says yes to anybody: first, whether there is somebody to sign out.
      await ask({ path: 'api/session', check: validators.SessionFacts });
      await post('api/auth/logout', {});
    },
  };
}

interface MoneyRequest {
  readonly repeat: RepeatKey;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Sends it; `timeout` in milliseconds. */
  send(timeout: number): Promise<ProviderAnswer>;
}

/** Milliseconds without which a second try is not begun. */
const leastTime = 1_000;

/**
 * Asks for something that moves money, under its key. Only where the connection broke before any answer it is asked
 * for once more: under the same key, so that it is done once. What leaves open whether it was done fails with
 * `outcome: "unknown"` and the key.
 */
async function askForMoney({ repeat, clock, send }: MoneyRequest): Promise<ProviderAnswer> {
  const { key } = repeat;
  const since = clock.monotonic();
  try {
    return await send(longestCall);
  } catch (error) {
    const timeout = longestCall - (clock.monotonic() - since);
    const isBroken = error instanceof ConnectionFailure && error.stage === 'broken';
    if (!isBroken || timeout < leastTime) throw judged(error, { key, isFirst: true });
    return send(timeout).catch((second: unknown) => {
      throw judged(second, { key, isFirst: false });
    });
  }
}

interface Try {
  readonly key: string;
  /** False where an earlier request under the key may have been heard. */
  readonly isFirst: boolean;
}

/** A failure of the gateway's that says of money that nothing has moved; any other leaves it open. */
function judged(error: unknown, { key, isFirst }: Try): unknown {
  if (!(error instanceof AppError)) return error;
  if (error.fields.outcome === 'unknown') return inItsWords(error, key);
  const isClear =
    error instanceof ConnectionFailure
      ? error.stage === 'unsent' && isFirst
      : isFirst
        ? !unclear.has(error.code)
        : clearAgain.has(error.code);
  return isClear ? error : doubtful(error, key);
}

/** Answers of a gateway that has failed itself. */
const unclear: ReadonlySet<ErrorCode> = new Set(['internal_error', 'payments_unavailable']);

/** What is said of the request itself, whichever of its tries it is. */
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
    ? new AppError('in_doubt', 'It was interrupted before the gateway answered.', { cause: error })
    : error;
  return unknown(cause, `${cause.message} ${repeatAdvice}`, { key, cause });
}

/** Returns the gateway's own doubt, without its advice to HTTP clients. */
function inItsWords(error: AppError, key: string): AppError {
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
