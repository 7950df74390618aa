import type { PaymentType } from '../../payment.js';

export interface SandboxRefund {
  readonly id: number;
  /** Tenge. */
  readonly amount: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly idempotencyKey?: string;
}

/** One payment as the sandbox keeps it. What has become of it follows from this and the time. */
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
  /** Unguessable; part of the QR link and of the receipt's address. */
  readonly token: string;
  readonly clientPhone?: string;
  readonly comment?: string;
  readonly latitude?: number;
  readonly longitude?: number;
  /** Status reads that have failed so far, where the scenario makes some fail. */
  readonly failedReads: number;
  /** A status that a cancellation or a test has put in force. */
  readonly forced?: { readonly status: string; readonly at: number };
  /** A fault: it has this status first, and is paid a while later all the same. */
  readonly flip?: string;
  readonly refunds: readonly SandboxRefund[];
  /** The Idempotency-Key that came with the request. */
  readonly key?: string;
  /** Digest of the key that the operation was made under. */
  readonly idempotency?: string;
}

/** A client's key for a payment, as the sandbox remembers it. */
export function paymentKey(organizationId: number, kind: PaymentType, key: string): string {
  return `${organizationId} ${kind} ${key}`;
}

/** A client's key for a refund, as the sandbox remembers it. */
export function refundKey(organizationId: number, key: string): string {
  return `${organizationId} refund ${key}`;
}

/** Added to every ID if the sandbox is configured to have IDs beyond 2^53. */
const beyond = 9_000_000_000_000_000_000n;

/** The ways of writing an id. */
export const idForms: Readonly<Record<string, (id: number) => unknown>> = {
  text: String,
  big: (id) => BigInt(id) + beyond,
  uuid: (id) => `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
  float: (id) => id + 0.5,
  none: () => undefined,
};

/** The number that an id in a request means, in digits or as a number; -1, which no operation has, for none. */
export function operationNumber(id: number | bigint | string): number {
  if (!/^\d{1,30}$/.test(String(id))) return -1;
  const given = BigInt(id);
  const number = Number(given > beyond ? given - beyond : given);
  return Number.isSafeInteger(number) ? number : -1;
}

/** How long a QR token or an invoice can be paid, in milliseconds. */
export const lifetime = 180_000;
/** When the usual outcomes come, in milliseconds after creation. */
const outcomeAfter = 4000;
const scannedAfter = 2000;
/** When a payment that flips is paid after all, in milliseconds after creation. */
const flippedAfter = 34_000;

/** From `after` milliseconds after creation on, the operation has this status. */
interface Step {
  readonly after: number;
  readonly status: string;
}

interface Scenario {
  readonly qr: readonly Step[];
  readonly invoice: readonly Step[];
  /** So many status reads fail first. */
  readonly failingReads?: number;
  /** Creating it ends every session of the organization. */
  readonly evicts?: boolean;
  /** Creating it is refused with a StatusCode other than 0. */
  readonly refused?: boolean;
}

/** The status that creation answers with. */
export const createdStatus: Readonly<Record<PaymentType, string>> = {
  qr: 'QrTokenCreated',
  invoice: 'RemotePaymentCreated',
};

const processed: Step = { after: outcomeAfter, status: 'Processed' };
const processedAtOnce: Step[] = [{ after: 0, status: 'Processed' }];
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

/** What happens, by the whole tenge of the amount modulo 100. */
const scenarios: ReadonlyMap<number, Scenario> = new Map([
  [1, ending('CancelledByUser', 'RemotePaymentCanceled')],
  [2, ending('Rejected', 'RemotePaymentRejected')],
  [3, ending('Error', 'RemotePaymentRejected')],
  [4, ending('Expired', 'Expired')],
  [5, ending('QrTokenDiscarded', 'Expired')],
  [6, { qr: timeOut, invoice: timeOut }],
  [7, { qr: processedAtOnce, invoice: processedAtOnce, failingReads: 3 }],
  [8, { qr: review, invoice: review }],
  [9, { qr: processedAtOnce, invoice: processedAtOnce, evicts: true }],
  [10, { qr: [], invoice: [], refused: true }],
]);

/** The scenario that an amount (tenge) chooses. */
export function scenarioOf(amount: number): Scenario {
  return scenarios.get(Math.floor(amount) % 100) ?? usual;
}

/** The status of an operation at an instant: nothing but its record and the time decide. */
export function statusAt(operation: SandboxOperation, now: number): string {
  const { forced, flip, kind, createdAt, speed } = operation;
  if (forced && now >= forced.at) return forced.status;
  const age = (now - createdAt) * speed;
  if (flip)
    return age >= flippedAfter ? 'Processed' : age >= outcomeAfter ? flip : createdStatus[kind];
  const reached = scenarioOf(operation.amount)[kind].filter(({ after }) => age >= after);
  return reached.at(-1)?.status ?? createdStatus[kind];
}

/** Whether the next status read of the operation fails. */
export function readFails({ amount, failedReads, forced }: SandboxOperation): boolean {
  return !forced && failedReads < (scenarioOf(amount).failingReads ?? 0);
}

/** Statuses from which nothing moves any more; the sandbox's own view, without the gateway's lists. */
const openStatuses = new Set([...Object.values(createdStatus), 'QrTokenScanned', 'ManualReview']);

/** Whether an operation in this status can still change. */
export function isOpen(status: string): boolean {
  return openStatuses.has(status);
}
