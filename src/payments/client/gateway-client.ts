import type { Operations, PaymentRow, SessionCheck } from '#validators/gateway';
import type { AppError } from '../../base/errors.js';
import type { InvoiceOrder, QrOrder } from '../gateway.js';
import type { RepeatKey } from '../idempotency.js';
import type { IntentKind } from '../intents/intent.js';
import type { PaymentState, PaymentType } from '../payment.js';
import type { IntentRow, RefundView } from '../payment-view.js';
import type { ProviderAnswer } from '../providers/provider.js';
import type { DayReport } from '../reconcile/day-report.js';
import type { Differences } from '../reconcile/differences.js';
import type { SignedIn } from '../sessions/sign-in.js';

/** A payment as every client of the gateway sees it: times in ISO 8601, amounts in tenge. */
export type { PaymentRow } from '#validators/gateway';

/** What names a cashier session and proves that it is the cashier's own. */
export interface SessionPair {
  readonly tokenSN: string;
  readonly vtokenSecret: string;
}

/** The cashier who is signed in. */
export interface CashierFacts {
  readonly orgName: string;
  /** As the provider takes it: `7011234567`. */
  readonly phone: string;
  readonly organizationId: number;
  readonly profileId: number;
  /** The unique ID of the deployment; absent if it cannot be read. */
  readonly instance?: string;
  /** True if the provider only simulates payments; absent otherwise. */
  readonly sandbox?: true;
}

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

export interface WaitOptions {
  /** Ends the waiting, not the payment. */
  readonly signal: AbortSignal;
  /** Called with the payment at first and whenever it has changed. */
  onChange?(payment: PaymentRow): void;
  /** Called after every time it was asked for with why that failed (which proves nothing), if it did. */
  onPoll?(failure: AppError | undefined): void;
}

export interface Waited {
  /** As it was last seen; still `open` where the signal ended the waiting. */
  readonly payment: PaymentRow;
  /** True where the outcome was learnt here, not by a running `serve`: its webhooks have not been sent yet. */
  readonly endedHere: boolean;
}

/** The newest of a list, at most as many as were asked for, and whether there are more. */
export interface Newest<Row> {
  readonly rows: readonly Row[];
  readonly more: boolean;
}

export interface IntentQuery {
  /** `running`: under way in any process; `in_doubt`; `adopted`: known by now to have been made. */
  readonly state: 'running' | 'in_doubt' | 'adopted';
  readonly kinds: readonly IntentKind[];
  /** Only those of refunds of this operation. */
  readonly paymentId?: string | undefined;
  /** Only of this organization; where the gateway is elsewhere it is that of the session. */
  readonly organizationId?: number | undefined;
  readonly limit: number;
}

export interface RefundQuery extends Pick<IntentQuery, 'paymentId' | 'organizationId' | 'limit'> {
  /** Excludes refunds that are in doubt or under way. */
  readonly only?: 'ended' | undefined;
}

/** What the gateway has stored. */
export interface PaymentRecords {
  /** `not_found` where none is meant, `conflict` where several are. */
  find(payment: PaymentId): Promise<PaymentRow>;
  /** Until it is no longer open, or the signal aborts. */
  waitForOutcome(payment: PaymentId, options: WaitOptions): Promise<Waited>;
  /** The newest first, of all states unless told. `limit` may be Infinity. */
  payments(query: {
    readonly states: readonly PaymentState[];
    readonly limit: number;
  }): Promise<Newest<PaymentRow>>;
  /** Returns refunds, newest first. */
  refunds(query: RefundQuery): Promise<Newest<RefundView>>;
  /** Returns requests that are under way, in doubt or adopted, newest first. */
  intents(query: IntentQuery): Promise<Newest<IntentRow>>;
  /** The takings of a day (`YYYY-MM-DD`, not after today) by the provider's clocks. */
  report(day: string): Promise<DayReport>;
  /** Closes what is in doubt as never made; gives it as it is then. */
  closeIntent(intent: string): Promise<IntentRow>;
  /** Whether somebody watches the open payments at this moment. */
  isWatched(): Promise<boolean>;
}

/** An operation of the provider's that a person takes in. */
export interface WantedAdoption {
  readonly id: string;
  readonly type?: PaymentType | undefined;
  /** The request in doubt that it has come of. */
  readonly intentId?: string | undefined;
}

export interface AdoptedRow {
  readonly payment: PaymentRow;
  /** False where it was stored already. */
  readonly isNew: boolean;
  /** The requests in doubt that are settled by it. */
  readonly settled: readonly IntentRow[];
}

/**
 * What a signed-in cashier can do. Answers are the provider's own. What moves money takes the key under which the
 * same request may be repeated; a failure that leaves open whether it was done has `outcome: "unknown"`.
 */
export interface CashierCalls {
  facts(): Promise<CashierFacts>;
  findClient(phoneNumber: string): Promise<ProviderAnswer>;
  createInvoice(order: InvoiceOrder, repeat: RepeatKey): Promise<ProviderAnswer>;
  invoiceDetails(operationId: string): Promise<ProviderAnswer>;
  cancelInvoice(operationId: string): Promise<ProviderAnswer>;
  /** The organization's latest 20. */
  invoiceHistory(): Promise<ProviderAnswer>;
  createQr(order: QrOrder, repeat: RepeatKey): Promise<ProviderAnswer>;
  operations(period: Operations): Promise<ProviderAnswer>;
  operationDetails(id: number | bigint): Promise<ProviderAnswer>;
  /** Returns the key for a refund of an amount, the same for everybody who requests that refund now. */
  refundKey(order: RefundOrder): Promise<RefundKey>;
  /** Returns an amount (tenge) of a paid operation. */
  refund(order: RefundOrder, repeat: RepeatKey): Promise<ProviderAnswer>;
  checkSession(): Promise<SessionCheck>;
  /** Compares a day (`YYYY-MM-DD`) with the provider. */
  reconcile(day: string, signal: AbortSignal): Promise<Differences>;
  adopt(wanted: WantedAdoption): Promise<AdoptedRow>;
  logOut(): Promise<void>;
}

export interface RefundOrder {
  readonly qrOperationId: number | bigint;
  readonly returnAmount: number;
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
