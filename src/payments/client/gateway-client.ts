import { hash } from 'node:crypto';
import type {
  CreateRefund,
  DayReport,
  Differences,
  IntentRow,
  PaymentAdopted,
  PaymentRow,
  SessionFacts,
} from '#validators/gateway';
import { toTiyns } from '../amount.js';
import type { CashierGateway } from '../gateway.js';
import type { AdoptionRequest } from '../intents/adopt.js';
import type { PaymentState, PaymentType } from '../payment.js';
import type { RefundView } from '../payment-view.js';
import type { IntentQuery, RefundQuery } from '../record-pages.js';
import type { SignIn } from '../sessions/sign-in.js';
import type { Waited, WaitOptions } from '../watching/wait-for-outcome.js';

/** The ID of a cashier session and the secret that proves its ownership. */
export interface SessionPair {
  readonly tokenSN: string;
  readonly vtokenSecret: string;
}

/** Facts about the signed-in cashier. */
export type CashierFacts = Omit<SessionFacts, 'zone'>;

/** The three steps of a sign-in. A refused step throws `bad_request`. */
export type SignInCalls = Omit<SignIn, 'phoneOf'>;

export interface PaymentId {
  /** The provider's operation ID. */
  readonly id: string;
  /** Required if payments of both types have the ID. */
  readonly type?: PaymentType | undefined;
  /** The organization of the session by default. */
  readonly organizationId?: number | undefined;
}

/** The newest rows of a list, up to a limit. */
export interface Newest<Row> {
  readonly rows: readonly Row[];
  /** True if the list has more rows than the limit. */
  readonly more: boolean;
}

/** A query covers all organizations by default. A remote gateway lists only the session's organization. */
type ListQuery<Query> = Omit<Query, 'after' | 'since' | 'signal'>;

/** The stored records of a gateway. */
export interface PaymentRecords {
  /** Throws `not_found` if no payment matches and `conflict` if several do. */
  find(payment: PaymentId): Promise<PaymentRow>;
  /** Waits until the payment is no longer open or the signal aborts. */
  waitForOutcome(payment: PaymentId, options: WaitOptions<PaymentRow>): Promise<Waited<PaymentRow>>;
  /** Returns payments in these states, newest first. `limit` may be Infinity. */
  payments(query: {
    readonly states: readonly PaymentState[];
    readonly limit: number;
  }): Promise<Newest<PaymentRow>>;
  /** Returns refunds, newest first. */
  refunds(query: ListQuery<RefundQuery>): Promise<Newest<RefundView>>;
  /** Returns requests that are in progress, in doubt or adopted, newest first. */
  intents(query: ListQuery<IntentQuery>): Promise<Newest<IntentRow>>;
  /** Returns the takings of a day (`YYYY-MM-DD`, not after today) in the provider's time zone. */
  report(day: string): Promise<DayReport>;
  /** Closes a request in doubt as never made and returns it. */
  closeIntent(intent: string): Promise<IntentRow>;
  /** Returns whether a process is watching the open payments. */
  isWatched(): Promise<boolean>;
}

/** The calls of a signed-in cashier. */
export interface CashierCalls extends Omit<CashierGateway, 'qrStatus'> {
  facts(): Promise<CashierFacts>;
  /** Returns the key for a refund. Every client that requests the same refund now receives the same key. */
  refundKey(order: CreateRefund): Promise<RefundKey>;
  /** Compares a day (`YYYY-MM-DD`) with the provider. */
  reconcile(day: string, signal: AbortSignal): Promise<Differences>;
  adopt(request: AdoptionRequest): Promise<PaymentAdopted>;
  logOut(): Promise<void>;
}

/** The key for a refund. */
export interface RefundKey {
  readonly key: string;
  /** An earlier request for the same refund, if it is in progress, in doubt, or was recently adopted. */
  readonly earlier: IntentRow | undefined;
}

/** The result of the first attempt to deliver a webhook. */
export interface FirstAttempt {
  readonly url: string;
  readonly error: string | null;
}

/**
 * A payment gateway as the till and the `pay` commands use it: in this process on its own data, or in another process
 * over its HTTP API. Both throw AppErrors with the same codes.
 */
export interface GatewayClient {
  /** The origin of a remote gateway, such as `https://pay.example.kz`; undefined for the gateway in this process. */
  readonly origin: string | undefined;
  /** Returns the IANA time zone of the provider. */
  zone(): Promise<string>;
  readonly signIn: SignInCalls;
  /** Returns the calls of a cashier. This and every later call throw `not_signed_in` if the session is invalid. */
  cashier(session: SessionPair): Promise<CashierCalls>;
  /**
   * Returns the records that the session can access. Without a session, a gateway in this process shows all records,
   * and a remote one throws `not_signed_in`.
   */
  records(session: SessionPair | undefined): PaymentRecords;
  /** Attempts to deliver the webhooks of a payment that ended here. A remote gateway delivers them itself. */
  sendWebhooks(payment: PaymentRow, signal: AbortSignal): Promise<readonly FirstAttempt[]>;
  close(): Promise<void>;
}

/** Maximum number of a payment's refunds, and of its refund requests, that are searched for a refund's key. */
const maxRefunds = 1_000;

/**
 * Returns the key for a refund. If a refund of the same operation and amount is in progress, is in doubt, or was
 * recently adopted, returns its key. Otherwise, every client of the same deployment (`instance`) derives the same new
 * key. The money is returned only once under a key.
 */
export async function findRefundKey(
  records: Pick<PaymentRecords, 'intents' | 'refunds'>,
  order: CreateRefund,
  instance: string | undefined,
): Promise<RefundKey> {
  const paymentId = String(order.qrOperationId);
  const amount = toTiyns(order.returnAmount);
  const isSame = (each: { readonly paymentId: string | null; readonly amount: number }) =>
    each.paymentId === paymentId && toTiyns(each.amount) === amount;
  // Refunds are counted first. A refund that is made in the meantime is the requested one and has this key.
  const { rows } = await records.refunds({ only: 'ended', paymentId, limit: maxRefunds });
  const made = rows.filter((row) => row.outcome === 'success' && isSame(row)).length;
  // Reads the states in the order in which a refund passes through them, so that no concurrent change is missed.
  for (const state of ['running', 'in_doubt', 'adopted'] as const) {
    const query = { state, kinds: ['refund'], paymentId, limit: maxRefunds } as const;
    const earlier = (await records.intents(query)).rows.find(isSame);
    // The key of an adopted request may have expired.
    if (earlier && earlier.keyTaken !== false) return { key: earlier.key, earlier };
  }
  const deployment = instance === undefined ? [] : [instance];
  return { key: nameBasedKey([...deployment, paymentId, amount, made]), earlier: undefined };
}

/** Returns a UUID derived from a name (version 8 of RFC 9562). */
function nameBasedKey(name: readonly unknown[]): string {
  const digits = hash('sha256', JSON.stringify(['refund', ...name]));
  const [a, b, c, d, e] = [
    [0, 8],
    [8, 12],
    [13, 16],
    [17, 20],
    [20, 32],
  ].map(([from, to]) => digits.slice(from, to));
  return `${a}-${b}-8${c}-a${d}-${e}`;
}
