import type { Payment } from '#validators/payment-records';
import { isObject } from '../../json/pointers.js';
import { type ProviderAnswer, ProviderError } from './provider.js';

/** What the gateway reads out of an answer about a payment. Everything else just passes through. */
export interface PaymentFacts {
  readonly status: string;
  readonly statusDesc: string;
  /** Tenge, where the provider says it. */
  readonly amount: number | null;
  readonly receiptUrl: string | null;
  readonly orderNumber: string | null;
  /** The provider's whole `Data`. */
  readonly data: Readonly<Record<string, unknown>>;
}

export interface CreatedFacts extends PaymentFacts {
  /** The operation id, in digits. */
  readonly id: string;
  readonly qrToken: string | null;
  /** As the provider wrote it; see zoned-time.ts. */
  readonly expireDate: string | null;
}

/** What a fresh payment is; an answer without an operation id is a failure of the provider. */
export function readCreated(type: Payment['type'], answer: ProviderAnswer): CreatedFacts {
  const data = dataOf(answer);
  const id = operationId(type === 'qr' ? (data.QrOperationId ?? data.Id) : data.Id);
  if (id === undefined) throw incomplete('an operation id', answer);
  const status = text(data.Status) ?? (type === 'qr' ? 'QrTokenCreated' : 'RemotePaymentCreated');
  return {
    id,
    ...factsOf(data, status),
    qrToken: type === 'qr' ? text(data.QrToken) : null,
    expireDate: text(data.ExpireDate),
  };
}

/** What has become of a payment; an answer without a status proves nothing and is a failure. */
export function readObserved(answer: ProviderAnswer): PaymentFacts {
  const data = dataOf(answer);
  const status = text(data.Status);
  if (status === null) throw incomplete('a status', answer);
  return factsOf(data, status);
}

/** The answer to the first step of a sign-in; without a process there is no next one. */
export function readStarted(answer: ProviderAnswer): ProviderAnswer {
  if (typeof answer.processId !== 'string' || answer.processId === '') {
    throw incomplete('a processId');
  }
  return { view: 'EnterPhoneNumber', body: {}, ...answer };
}

/** What a finished sign-in gives. */
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
}

/** The session in the answer to the right code; without token, secret and organization there is none. */
export function readSignedIn(answer: ProviderAnswer): SignedInFacts {
  const { tokenSN, vtokenSecret, organizationId, profileId, organizations } = answer;
  if (typeof tokenSN !== 'string' || tokenSN === '') throw incomplete('a tokenSN');
  if (typeof vtokenSecret !== 'string' || vtokenSecret === '') throw incomplete('a vtokenSecret');
  if (!Number.isSafeInteger(organizationId)) throw incomplete('an organizationId');
  return {
    step: text(answer.step) ?? 'finished',
    message: text(answer.message) ?? 'Signed in.',
    tokenSN,
    secret: vtokenSecret,
    profileId: Number.isSafeInteger(profileId) ? Number(profileId) : Number(organizationId),
    organizationId: Number(organizationId),
    orgName: text(answer.orgName) ?? '',
    phone: text(answer.phone) ?? '',
    organizations: Array.isArray(organizations) ? organizations : [],
  };
}

function factsOf(data: Readonly<Record<string, unknown>>, status: string): PaymentFacts {
  return {
    status,
    statusDesc: text(data.StatusDesc) ?? text(data.StatusDescription) ?? status,
    amount: typeof data.Amount === 'number' ? data.Amount : null,
    receiptUrl: text(data.ReceiptUrl),
    orderNumber: text(data.OrderNumber),
    data,
  };
}

function dataOf({ Data }: ProviderAnswer): Readonly<Record<string, unknown>> {
  return isObject(Data) ? Data : {};
}

function operationId(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return String(value);
  return typeof value === 'string' && /^\d{1,30}$/.test(value) ? value : undefined;
}

/** Text that says something; numbers count as text (an order number may be one). */
function text(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** What a sign-in answered stays out of the error: it may hold a secret. */
function incomplete(what: string, answer?: ProviderAnswer): ProviderError {
  return new ProviderError('failure', `The provider's answer lacks ${what}.`, { answer });
}
