import type { Payment } from '#validators/payment-records';
import type * as protocol from '#validators/provider-protocol';
import { AppError, type AppErrorOptions, type ErrorCode } from '../../base/errors.js';

/** A provider's answer as it came: passed on to clients unchanged, read only through parsers. */
export type ProviderAnswer = Readonly<Record<string, unknown>>;

/** What the provider gave at sign-in. The secret leaves the gateway only encrypted. */
export interface ProviderSession {
  readonly tokenSN: string;
  readonly secret: string;
}

/** Goes with every call: when to give up, and what makes a repeated call the same call. */
export interface ProviderCall {
  readonly signal: AbortSignal;
  /** The same key and input must give the same answer and move money once; a lookup asks for it. */
  readonly idempotencyKey?: string;
  /**
   * Money may be asked for once more under the same key after a broken connection: the provider
   * declares itself idempotent. Without it, what may have been sent is not sent again.
   */
  readonly mayRepeat?: boolean;
}

interface WithSession {
  readonly session: ProviderSession;
}

/** The input of every operation, by its name in the port. */
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
 * Everything the gateway asks of an upstream payment provider, one method an operation. A method
 * resolves to the provider's whole answer, and rejects with a ProviderError otherwise.
 */
export type ProviderOperations = {
  readonly [Name in ProviderOperation]: (
    input: ProviderInputs[Name],
    call: ProviderCall,
  ) => Promise<ProviderAnswer>;
};

export interface PaymentProvider extends ProviderOperations {
  /** Lets go of connections and files; called once, at shutdown. */
  close(): Promise<void>;
}

/**
 * Why a call gave nothing: `not_found` and `refused` are the client's to act on, `session_ended`
 * asks for a new sign-in, `timeout` and `failure` by themselves say nothing about what happened upstream.
 */
export type ProviderErrorKind = 'not_found' | 'refused' | 'session_ended' | 'timeout' | 'failure';

interface ProviderErrorOptions extends Pick<AppErrorOptions, 'hint' | 'fields' | 'cause'> {
  /** What the provider said, shown to the client under `details`. */
  readonly answer?: ProviderAnswer | undefined;
  /** Where more is known than the kind says: true for a request that was never sent, say. */
  readonly isClear?: boolean | undefined;
  readonly late?: Promise<ProviderAnswer> | undefined;
}

/** The kinds that say that nothing was done. */
const clearKinds: ReadonlySet<ProviderErrorKind> = new Set([
  'not_found',
  'refused',
  'session_ended',
]);

/** The failure of a call to the provider. Its `code` is what HTTP clients and shells see. */
export class ProviderError extends AppError {
  readonly kind: ProviderErrorKind;
  /**
   * True where the provider certainly made nothing: it said no in clear words, or nothing was sent
   * to it. After any other failure of a call that moves money, the money may have moved.
   */
  readonly isClear: boolean;
  /**
   * Of a call that moves money and was not answered in time: the answer, if it comes within
   * `longestLateness` after all. Rejects with a ProviderError otherwise, also when the provider is closed;
   * nobody has to listen to it.
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

/** If money may have moved all the same, the end of the session is not what matters to a client. */
function codeOf(kind: ProviderErrorKind, isClear: boolean): ErrorCode {
  if (kind === 'not_found' || kind === 'refused') return kind;
  return kind === 'session_ended' && isClear ? kind : 'provider_error';
}

interface OperationTraits {
  /** Below the protocol's base address; every operation is a POST. */
  readonly path: string;
  /** Whether the call is made with the cashier's session. */
  readonly session: boolean;
  /** `read` changes nothing, `money` is repeated only where the call says so, `step` never. */
  readonly effect: 'read' | 'money' | 'step';
  /** A provider without it is complete; asking it then is a clear failure. */
  readonly optional?: true;
}

/** Milliseconds after its time-out for which a call that moves money may still be answered. */
export const longestLateness = 60_000;

/** What the protocol, the HTTP provider and the sandbox server need to know of each operation. */
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

/** The names of all operations of the port. */
export const operationNames = Object.keys(providerOperations) as ProviderOperation[]; // keys() forgets the key type

/** All operations of the port, each as `make` makes it. */
export function everyOperation<Input>(
  make: (name: ProviderOperation) => (input: Input, call: ProviderCall) => Promise<ProviderAnswer>,
): ProviderOperations {
  const operations = Object.fromEntries(operationNames.map((name) => [name, make(name)]));
  return operations as unknown as ProviderOperations; // fromEntries forgets the names, which are all of the port's.
}

/** Asks the provider how an operation stands. */
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
