import type { Payment } from '#validators/payment-records';
import { isObject } from '../../json/pointers.js';
import {
  type AmountFault,
  amountIn,
  anyIdOf,
  type Data,
  dataOf,
  firstOf,
  idNames,
  incomplete,
  operationIdOf,
  otherIdIn,
  textOf,
  wholeNumberOf,
} from './answer-values.js';
import type { ProviderAnswer } from './provider.js';

/** The facts that the gateway reads from an answer about a payment. It passes on everything else unchanged. */
export interface PaymentFacts {
  readonly status: string;
  readonly statusDesc: string;
  /** Tenge; null if the answer contains no amount. */
  readonly amount: number | null;
  /** Set if the provider's amount is unreadable or in a different currency. */
  readonly amountFault?: AmountFault;
  readonly receiptUrl: string | null;
  readonly orderNumber: string | null;
  /** The second ID of the operation, in digits, if the answer contains two. */
  readonly otherId: string | null;
  /** The provider's whole `Data`. */
  readonly data: Data;
}

export interface CreatedFacts extends PaymentFacts {
  /** The operation ID, in digits. */
  readonly id: string;
  readonly qrToken: string | null;
  /** As the provider wrote it; see zoned-time.ts. */
  readonly expireDate: string | null;
}

export interface ObservedFacts extends PaymentFacts {
  /** The ID of the operation that the answer is about; null if it has none. */
  readonly id: string | null;
  /** Every ID in the answer. */
  readonly ids: readonly string[];
}

/**
 * Reads the answer to a payment's creation. Throws an unclear ProviderError if the operation ID is unreadable, because
 * the payment was created.
 */
export function readCreated(type: Payment['type'], answer: ProviderAnswer): CreatedFacts {
  const data = dataOf(answer);
  const id = operationIdOf(firstOf(data, idNames[type]));
  if (id === null) throw incomplete('an operation ID', answer);
  const status = textOf(data.Status) ?? (type === 'qr' ? 'QrTokenCreated' : 'RemotePaymentCreated');
  return {
    id,
    ...factsOf(data, status, id),
    qrToken: type === 'qr' ? textOf(data.QrToken) : null,
    expireDate: textOf(data.ExpireDate),
  };
}

/**
 * Reads an answer about a payment. Throws if it has no status. If any ID in the answer is the same number as
 * `requestedId`, the ID in the result is `requestedId`. An ID that is not a number stays unchanged, so that it does not
 * match any other.
 */
export function readObserved(answer: ProviderAnswer, requestedId?: string): ObservedFacts {
  const data = dataOf(answer);
  const status = textOf(data.Status);
  if (status === null) throw incomplete('a status', answer);
  const isRequested = idNames.qr.some((name) => isSameId(data[name], requestedId));
  const id =
    requestedId !== undefined && isRequested ? requestedId : anyIdOf(firstOf(data, idNames.qr));
  const ids = idNames.qr.flatMap((name) => anyIdOf(data[name]) ?? []);
  return { id, ids: [...new Set(ids)], ...factsOf(data, status, id) };
}

/** The facts that the gateway reads from the answer to a refund. Missing values are null. */
export interface RefundedFacts {
  /** The refund's ID, in digits. */
  readonly id: string | null;
  /** The returned amount in tenge. */
  readonly amount: number | null;
  /** Set if the provider's amount is unreadable or in a different currency. */
  readonly amountFault?: AmountFault;
  /** The ID of the refunded payment. */
  readonly paymentId: string | null;
  /** Amount that can still be returned, in tenge. */
  readonly available: number | null;
  readonly status: string | null;
}

export function readRefunded(answer: ProviderAnswer): RefundedFacts {
  const data = dataOf(answer);
  return {
    id: operationIdOf(firstOf(data, ['Id', 'RefundId', 'ReturnId', 'OperationId'])),
    ...amountIn(data, ['ReturnAmount', 'Amount']),
    paymentId: operationIdOf(firstOf(data, ['QrOperationId', 'PaymentId'])),
    available: amountIn(data, ['AvailableReturnAmount', 'AvailableAmount']).amount,
    status: textOf(data.Status),
  };
}

/** Returns the answer to the first step of a sign-in, with default values. Throws if it has no process ID. */
export function readStarted(answer: ProviderAnswer): ProviderAnswer {
  if (typeof answer.processId !== 'string' || answer.processId === '') {
    throw incomplete('a processId');
  }
  return { view: 'EnterPhoneNumber', body: {}, ...answer };
}

/**
 * The capabilities that a provider declares at sign-in. Undeclared capabilities are false, except that an undeclared
 * `sandbox` is absent.
 */
export interface Capabilities {
  /** Requests with the same key receive the same answer for 24 hours, even if the first answer was lost. */
  readonly idempotent: boolean;
  /** The provider can look up the operation made under a key. */
  readonly lookup: boolean;
  /** Time after which a lookup that finds nothing is final, in seconds; 900 by default. */
  readonly lookupHorizon?: number;
  /** The provider simulates payments; no money moves. */
  readonly sandbox?: true;
}

/** The result of a completed sign-in. */
export interface SignedInFacts {
  readonly step: string;
  readonly message: string;
  readonly tokenSN: string;
  readonly secret: string;
  readonly profileId: number;
  readonly organizationId: number;
  readonly orgName: string;
  readonly phone: string;
  readonly organizations: readonly unknown[];
  readonly capabilities: Capabilities;
}

/** Reads the session from the answer to a correct code. Throws if the token, secret or organization is missing. */
export function readSignedIn(answer: ProviderAnswer): SignedInFacts {
  const { tokenSN, vtokenSecret, organizations } = answer;
  if (typeof tokenSN !== 'string' || tokenSN === '') throw incomplete('a tokenSN');
  if (typeof vtokenSecret !== 'string' || vtokenSecret === '') throw incomplete('a vtokenSecret');
  const organizationId = wholeNumberOf(answer.organizationId);
  if (organizationId === null) throw incomplete('an organizationId');
  return {
    step: textOf(answer.step) ?? 'finished',
    message: textOf(answer.message) ?? 'Signed in.',
    tokenSN,
    secret: vtokenSecret,
    profileId: wholeNumberOf(answer.profileId) ?? organizationId,
    organizationId,
    orgName: textOf(answer.orgName) ?? '',
    phone: textOf(answer.phone) ?? '',
    organizations: Array.isArray(organizations) ? organizations : [],
    capabilities: capabilitiesOf(answer.capabilities),
  };
}

function capabilitiesOf(value: unknown): Capabilities {
  const { idempotent, lookup, lookupHorizon, sandbox } = isObject(value) ? value : {};
  return {
    idempotent: idempotent === true,
    lookup: lookup === true,
    ...(isHorizon(lookupHorizon) ? { lookupHorizon } : {}),
    ...(sandbox === true ? { sandbox } : {}),
  };
}

/** Maximum `lookupHorizon` of a provider, in seconds: one week. */
const maxHorizon = 7 * 86_400;

function isHorizon(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= maxHorizon;
}

function factsOf(data: Data, status: string, id: string | null): PaymentFacts {
  return {
    status,
    statusDesc: textOf(data.StatusDesc) ?? textOf(data.StatusDescription) ?? status,
    ...amountIn(data),
    receiptUrl: textOf(data.ReceiptUrl),
    orderNumber: textOf(data.OrderNumber),
    otherId: otherIdIn(data, id),
    data,
  };
}

/** Returns whether two IDs are the same number, such as `"0077"` and 77. */
function isSameId(value: unknown, other: string | undefined): boolean {
  const id = operationIdOf(value);
  return id !== null && id === operationIdOf(other);
}
