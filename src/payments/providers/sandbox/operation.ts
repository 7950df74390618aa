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
