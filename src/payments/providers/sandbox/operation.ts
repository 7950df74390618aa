import type { PaymentType } from '../../payment.js';

export interface SandboxRefund {
  readonly id: number;
  /** Tenge. */
  readonly amount: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly idempotencyKey?: string;
}

/** A payment in the sandbox. Its status is derived from this record and the time. */
export interface SandboxOperation {
  readonly id: number;
  readonly kind: PaymentType;
  readonly organizationId: number;
  readonly profileId: number;
  /** Tenge. */
  readonly amount: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly expiresAt: number;
  /** 1 = as documented, 10 = ten times faster. */
  readonly speed: number;
  readonly orderNumber: string;
  /** Random; part of the QR link and of the receipt's address. */
  readonly token: string;
  readonly clientPhone?: string;
  readonly comment?: string;
  readonly latitude?: number;
  readonly longitude?: number;
  /** Number of status reads that the scenario has caused to fail. */
  readonly failedReads: number;
  /** A status that a cancellation or a test has set. */
  readonly forced?: { readonly status: string; readonly at: number };
  /** The status with which a flipping payment ends before it is paid. */
  readonly flip?: string;
  readonly refunds: readonly SandboxRefund[];
  /** The Idempotency-Key of the request. */
  readonly key?: string;
  /** The digest of the stored key. */
  readonly idempotency?: string;
}

/** Returns the stored form of a client's key for a payment. */
export function paymentKey(organizationId: number, kind: PaymentType, key: string): string {
  return `${organizationId} ${kind} ${key}`;
}

/** Returns the stored form of a client's key for a refund. */
export function refundKey(organizationId: number, key: string): string {
  return `${organizationId} refund ${key}`;
}

/** Added to every ID by the fault `id=big`. */
const beyond = 9_000_000_000_000_000_000n;

/** The notations of an ID, by the value of the fault `id`. */
export const idForms: Readonly<Record<string, (id: number) => unknown>> = {
  text: String,
  big: (id) => BigInt(id) + beyond,
  uuid: (id) => `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
  float: (id) => id + 0.5,
  none: () => undefined,
};

/** Returns the number of an ID in a request. Returns -1, which no operation has, for an invalid ID. */
export function operationNumber(id: number | bigint | string): number {
  if (!/^\d{1,30}$/.test(String(id))) return -1;
  const value = BigInt(id);
  const number = Number(value > beyond ? value - beyond : value);
  return Number.isSafeInteger(number) ? number : -1;
}

/** Time during which a QR token or an invoice can be paid, in milliseconds. */
export const lifetime = 180_000;
/** Time from creation to the usual outcomes, in milliseconds. */
const outcomeAfter = 4000;
const scannedAfter = 2000;
/** Time from creation until a flipping payment is paid, in milliseconds. */
const flippedAfter = 34_000;

/** A status that an operation reaches. */
interface Step {
  /** Time after creation, in milliseconds. */
  readonly after: number;
  readonly status: string;
}

interface Scenario {
  readonly qr: readonly Step[];
  readonly invoice: readonly Step[];
  /** The number of status reads that fail first. */
  readonly failingReads?: number;
  /** True if its creation ends every session of the organization. */
  readonly evicts?: boolean;
  /** True if its creation is refused with a StatusCode other than 0. */
  readonly refused?: boolean;
}

/** The status in the answer to a creation. */
export const createdStatus: Readonly<Record<PaymentType, string>> = {
  qr: 'QrTokenCreated',
  invoice: 'RemotePaymentCreated',
};

const processed: Step = { after: outcomeAfter, status: 'Processed' };
const processedImmediately: Step[] = [{ after: 0, status: 'Processed' }];
const review: Step[] = [{ after: 0, status: 'ManualReview' }, processed];
const timeOut: Step[] = [{ after: lifetime, status: 'Expired' }];

const ending = (qr: string, invoice: string): Scenario => ({
  qr: [{ after: outcomeAfter, status: qr }],
  invoice: [{ after: outcomeAfter, status: invoice }],
});

const usual: Scenario = {
  qr: [{ after: scannedAfter, status: 'QrTokenScanned' }, processed],
  invoice: [processed],
};

/** The scenarios by the whole tenge of the amount modulo 100. */
const scenarios: ReadonlyMap<number, Scenario> = new Map([
  [1, ending('CancelledByUser', 'RemotePaymentCanceled')],
  [2, ending('Rejected', 'RemotePaymentRejected')],
  [3, ending('Error', 'RemotePaymentRejected')],
  [4, ending('Expired', 'Expired')],
  [5, ending('QrTokenDiscarded', 'Expired')],
  [6, { qr: timeOut, invoice: timeOut }],
  [7, { qr: processedImmediately, invoice: processedImmediately, failingReads: 3 }],
  [8, { qr: review, invoice: review }],
  [9, { qr: processedImmediately, invoice: processedImmediately, evicts: true }],
  [10, { qr: [], invoice: [], refused: true }],
]);

/** Returns the scenario for an amount (tenge). */
export function scenarioOf(amount: number): Scenario {
  return scenarios.get(Math.floor(amount) % 100) ?? usual;
}

/** Returns the status of an operation at an instant. */
export function statusAt(operation: SandboxOperation, now: number): string {
  const { forced, flip, kind, createdAt, speed } = operation;
  if (forced && now >= forced.at) return forced.status;
  const age = (now - createdAt) * speed;
  if (flip)
    return age >= flippedAfter ? 'Processed' : age >= outcomeAfter ? flip : createdStatus[kind];
  const reached = scenarioOf(operation.amount)[kind].filter(({ after }) => age >= after);
  return reached.at(-1)?.status ?? createdStatus[kind];
}

/** Returns whether the next status read of the operation fails. */
export function readFails({ amount, failedReads, forced }: SandboxOperation): boolean {
  return !forced && failedReads < (scenarioOf(amount).failingReads ?? 0);
}

/** Statuses that can still change in the sandbox. */
const openStatuses = new Set([...Object.values(createdStatus), 'QrTokenScanned', 'ManualReview']);

/** Returns whether an operation in this status can still change. */
export function isOpen(status: string): boolean {
  return openStatuses.has(status);
}
