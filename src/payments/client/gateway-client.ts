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
import type { WantedAdoption } from '../intents/adopt.js';
import type { PaymentState, PaymentType } from '../payment.js';
import type { RefundView } from '../payment-view.js';
import type { ProviderAnswer } from '../providers/provider.js';
import type { IntentQuery, RefundQuery } from '../record-pages.js';
import type { SignedIn } from '../sessions/sign-in.js';
import type { Waited, WaitOptions } from '../watching/wait-for-outcome.js';

/** What names a cashier session and proves that it is the cashier's own. */
export interface SessionPair {
  readonly tokenSN: string;
  readonly vtokenSecret: string;
}

/** The cashier who is signed in. */
export type CashierFacts = Omit<SessionFacts, 'zone'>;

/** The three steps of a sign-in; a refused one is a `bad_request`. */
export interface SignInCalls {
  start(): Promise<ProviderAnswer>;
  sendPhone(processId: string, phoneNumber: string): Promise<ProviderAnswer>;
  verifyOtp(processId: string, otp: string): Promise<SignedIn>;
}

/** Which payment is meant. */
export interface PaymentId {
  /** The provider's operation id. */
  readonly id: string;
  /** Needed where payments of both types have the id. */
  readonly type?: PaymentType | undefined;
  /** Of the organization of the session where it is not told. */
  readonly organizationId?: number | undefined;
}

/** The newest of a list, at most as many as were asked for, and whether there are more. */
export interface Newest<Row> {
  readonly rows: readonly Row[];
  readonly more: boolean;
}

/** Of all organizations where none is named; where the gateway is elsewhere, only of that of the session. */
type ListQuery<Query> = Omit<Query, 'after' | 'since' | 'signal'>;

/** What the gateway has stored. */
export interface PaymentRecords {
  /** `not_found` where none is meant, `conflict` where several are. */
  find(payment: PaymentId): Promise<PaymentRow>;
  /** Until it is no longer open, or the signal aborts. */
  waitForOutcome(payment: PaymentId, options: WaitOptions<PaymentRow>): Promise<Waited<PaymentRow>>;
  /** The newest first, of all states unless told. `limit` may be Infinity. */
  payments(query: {
    readonly states: readonly PaymentState[];
    readonly limit: number;
  }): Promise<Newest<PaymentRow>>;
  /** Returns refunds, newest first. */
  refunds(query: ListQuery<RefundQuery>): Promise<Newest<RefundView>>;
  /** Returns requests that are under way, in doubt or adopted, newest first. */
  intents(query: ListQuery<IntentQuery>): Promise<Newest<IntentRow>>;
  /** The takings of a day (`YYYY-MM-DD`, not after today) by the provider's clocks. */
  report(day: string): Promise<DayReport>;
  /** Closes what is in doubt as never made; gives it as it is then. */
  closeIntent(intent: string): Promise<IntentRow>;
  /** Whether somebody watches the open payments at this moment. */
  isWatched(): Promise<boolean>;
}

/** What a signed-in cashier can do. */
export interface CashierCalls extends Omit<CashierGateway, 'qrStatus'> {
  facts(): Promise<CashierFacts>;
  /** Returns the key for a refund of an amount, the same for everybody who requests that refund now. */
  refundKey(order: CreateRefund): Promise<RefundKey>;
  /** Compares a day (`YYYY-MM-DD`) with the provider. */
  reconcile(day: string, signal: AbortSignal): Promise<Differences>;
  adopt(wanted: WantedAdoption): Promise<PaymentAdopted>;
  logOut(): Promise<void>;
}

/** The key for a refund. */
export interface RefundKey {
  readonly key: string;
  /** The same refund under this key, if it is under way, in doubt, or was recently in doubt and was made. */
  readonly earlier: IntentRow | undefined;
}

/** What became of the first attempt at a webhook. */
export interface FirstAttempt {
  readonly url: string;
  readonly error: string | null;
}

/**
 * A payment gateway as the till and the `pay` commands see it: in this process on the data itself, or another
 * process's over its HTTP API. Failures are AppErrors with the same codes in both.
 */
export interface GatewayClient {
  /** The origin of a gateway on another machine, `https://pay.example.kz`; undefined for the one in this process. */
  readonly origin: string | undefined;
  /** IANA zone of the provider, whose days and clocks are meant. */
  zone(): Promise<string>;
  readonly signIn: SignInCalls;
  /** The cashier whose session it is; `not_signed_in` where it counts for nothing, also by a later call. */
  cashier(session: SessionPair): Promise<CashierCalls>;
  /**
   * What is stored, as far as the session may see it. Without one it is all of it where the gateway is in this process,
   * and `not_signed_in` elsewhere.
   */
  records(session: SessionPair | undefined): PaymentRecords;
  /** Makes the first attempts at the webhooks of a payment that ended here; none where the gateway sends them itself. */
  sendWebhooks(payment: PaymentRow, signal: AbortSignal): Promise<readonly FirstAttempt[]>;
  close(): Promise<void>;
}

/** The most refunds of one payment, and requests to refund it, that are searched for a refund's key. */
const mostRefunds = 1_000;

/**
 * Returns the key for a refund: the key of a refund of the same operation and amount that is under way, in doubt, or
 * was recently in doubt and was made; otherwise a key that everybody who requests this refund from the same deployment
 * (`instance`) now derives. Under it, the money is returned only once.
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
  // Counted first: a refund that is made meanwhile is the requested one, and has this key.
  const { rows } = await records.refunds({ only: 'ended', paymentId, limit: mostRefunds });
  const made = rows.filter((row) => row.outcome === 'success' && isSame(row)).length;
  // In the order of a refund's states, so that one that changes state meanwhile is not missed.
  for (const state of ['running', 'in_doubt', 'adopted'] as const) {
    const query = { state, kinds: ['refund'], paymentId, limit: mostRefunds } as const;
    const earlier = (await records.intents(query)).rows.find(isSame);
    // The key of one that was made may have expired.
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
