import type { Payment } from '#validators/payment-records';
import type * as protocol from '#validators/provider-protocol';
import { AppError, type AppErrorOptions, type ErrorCode } from '../../base/errors.js';

/** A provider's answer. It is passed on to clients unchanged and read only by parsers. */
export type ProviderAnswer = Readonly<Record<string, unknown>>;

/** The provider's session from a sign-in. The secret leaves the gateway only encrypted. */
export interface ProviderSession {
  readonly tokenSN: string;
  readonly secret: string;
}

/** Options of every call. */
export interface ProviderCall {
  readonly signal: AbortSignal;
  /**
   * Requests with the same key and input must return the same answer and move money only once. A lookup finds the
   * operation by this key.
   */
  readonly idempotencyKey?: string;
  /** True if the provider is idempotent, so that a money request is retried once after a broken connection. */
  readonly mayRepeat?: boolean;
}

interface WithSession {
  readonly session: ProviderSession;
}

/** The input of every operation. */
export interface ProviderInputs {
  startSignIn: protocol.StartSignIn;
  sendPhone: protocol.SendPhone;
  verifyOtp: protocol.VerifyOtp;
  checkSession: WithSession;
  endSession: WithSession;
  findClient: WithSession & protocol.FindClient;
  createInvoice: WithSession & protocol.CreateInvoice;
  invoiceDetails: WithSession & protocol.InvoiceDetails;
  cancelInvoice: WithSession & protocol.CancelInvoice;
  invoiceHistory: WithSession;
  createQr: WithSession & protocol.CreateQr;
  qrStatus: WithSession & protocol.QrStatus;
  operations: WithSession & protocol.Operations;
  operationDetails: WithSession & protocol.OperationDetails;
  refund: WithSession & protocol.Refund;
  lookup: WithSession & protocol.Lookup;
}

export type ProviderOperation = keyof ProviderInputs;

/**
 * The operations of a payment provider. Each method resolves to the provider's whole answer or rejects with a
 * ProviderError.
 */
export type ProviderOperations = {
  readonly [Name in ProviderOperation]: (
    input: ProviderInputs[Name],
    call: ProviderCall,
  ) => Promise<ProviderAnswer>;
};

export interface PaymentProvider extends ProviderOperations {
  /** Closes connections and files. Called once, at shutdown. */
  close(): Promise<void>;
}

/**
 * The reason for a failed call. The client can act on `not_found` and `refused`, and `session_ended` requires a new
 * sign-in. After `timeout` and `failure`, it is unknown whether the provider did anything.
 */
export type ProviderErrorKind = 'not_found' | 'refused' | 'session_ended' | 'timeout' | 'failure';

interface ProviderErrorOptions extends Pick<AppErrorOptions, 'hint' | 'fields' | 'cause'> {
  /** The provider's answer, which clients receive as `details`. */
  readonly answer?: ProviderAnswer | undefined;
  /** Overrides the default of the kind, for example for a request that was never sent. */
  readonly isClear?: boolean | undefined;
  readonly late?: Promise<ProviderAnswer> | undefined;
}

/** The kinds of failures after which nothing was done. */
const clearKinds: ReadonlySet<ProviderErrorKind> = new Set([
  'not_found',
  'refused',
  'session_ended',
]);

/** The failure of a call to the provider. HTTP clients and scripts receive its `code`. */
export class ProviderError extends AppError {
  readonly kind: ProviderErrorKind;
  /**
   * True if the provider is known to have done nothing, because it clearly refused or because nothing was sent. After
   * any other failure of a call that moves money, the money may have moved.
   */
  readonly isClear: boolean;
  /**
   * The late answer of a call that moves money and timed out. Rejects with a ProviderError if none arrives within
   * `maxLateness` or the provider is closed. The rejection does not have to be handled.
   */
  readonly late: Promise<ProviderAnswer> | undefined;

  constructor(kind: ProviderErrorKind, message: string, options: ProviderErrorOptions = {}) {
    const { answer: details = {}, isClear = clearKinds.has(kind), late, ...others } = options;
    super(codeOf(kind, isClear), message, { details, ...others });
    this.kind = kind;
    this.isClear = isClear;
    this.late = late;
  }
}

/** Returns the error code. If money may have moved, `provider_error` takes precedence over the session's end. */
function codeOf(kind: ProviderErrorKind, isClear: boolean): ErrorCode {
  if (kind === 'not_found' || kind === 'refused') return kind;
  return kind === 'session_ended' && isClear ? kind : 'provider_error';
}

interface OperationTraits {
  /** Path below the protocol's base address. Every operation is a POST. */
  readonly path: string;
  /** True if the call requires the cashier's session. */
  readonly session: boolean;
  /** A `read` may be retried, `money` only if the call allows it, and a `step` never. */
  readonly effect: 'read' | 'money' | 'step';
  /** True if a provider may omit the operation. A call then fails with a clear error. */
  readonly optional?: true;
}

/** Time after its timeout during which a call that moves money may still be answered, in milliseconds. */
export const maxLateness = 60_000;

/** The properties of each operation in the protocol. */
export const providerOperations: Readonly<Record<ProviderOperation, OperationTraits>> = {
  startSignIn: { path: 'sign-in/start', session: false, effect: 'step' },
  sendPhone: { path: 'sign-in/phone', session: false, effect: 'step' },
  verifyOtp: { path: 'sign-in/code', session: false, effect: 'step' },
  checkSession: { path: 'session/check', session: true, effect: 'read' },
  endSession: { path: 'session/end', session: true, effect: 'step' },
  findClient: { path: 'clients/find', session: true, effect: 'read' },
  createInvoice: { path: 'invoices/create', session: true, effect: 'money' },
  invoiceDetails: { path: 'invoices/details', session: true, effect: 'read' },
  cancelInvoice: { path: 'invoices/cancel', session: true, effect: 'step' },
  invoiceHistory: { path: 'invoices/history', session: true, effect: 'read' },
  createQr: { path: 'qr/create', session: true, effect: 'money' },
  qrStatus: { path: 'qr/status', session: true, effect: 'read' },
  operations: { path: 'operations/history', session: true, effect: 'read' },
  operationDetails: { path: 'operations/details', session: true, effect: 'read' },
  refund: { path: 'refunds/create', session: true, effect: 'money' },
  lookup: { path: 'operations/lookup', session: true, effect: 'read', optional: true },
};

/** The names of all operations. */
export const operationNames = Object.keys(providerOperations) as ProviderOperation[]; // keys() loses the key type

/** Creates all operations with `make`. */
export function everyOperation<Input>(
  make: (name: ProviderOperation) => (input: Input, call: ProviderCall) => Promise<ProviderAnswer>,
): ProviderOperations {
  const operations = Object.fromEntries(operationNames.map((name) => [name, make(name)]));
  return operations as unknown as ProviderOperations; // fromEntries loses the names, which are complete.
}

/** Requests the status of a payment from the provider. */
export function askOperation(
  provider: Pick<PaymentProvider, 'qrStatus' | 'invoiceDetails'>,
  { type, id }: Pick<Payment, 'type' | 'id'>,
  session: ProviderSession,
  call: ProviderCall,
): Promise<ProviderAnswer> {
  return type === 'qr'
    ? provider.qrStatus({ session, qrOperationId: id }, call)
    : provider.invoiceDetails({ session, operationId: id }, call);
}
