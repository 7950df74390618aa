import type { Outcome, PaymentType } from '../payment.js';

/** Final statuses of the contract, with the open-ended list of failed QR statuses filled in. */
const finalStatuses: Readonly<Record<PaymentType, Readonly<Record<string, Outcome>>>> = {
  qr: {
    Processed: 'success',
    CancelledByUser: 'failed',
    NotConfirmedByUser: 'failed',
    CancelledByExternalSource: 'failed',
    ProcessingFailed: 'failed',
    Rejected: 'failed',
    InsufficientFunds: 'failed',
    InsufficientFundsError: 'failed',
    Error: 'failed',
    QrTokenDiscarded: 'expired',
    Expired: 'expired',
  },
  invoice: {
    Processed: 'success',
    RemotePaymentCanceled: 'failed',
    RemotePaymentRejected: 'failed',
    Expired: 'expired',
  },
};

/** A bank's numbered block of the payer's or the payee's account. */
const blockCode = /^Iris(?:Src|Dest)BlockCode\d+$/;

/**
 * What `status` means for a payment. One in no list is `pending`: the outcome of money is never guessed.
 * `moreFailed` are further QR statuses that count as failed; they never override a known one.
 */
export function outcomeOf(
  type: PaymentType,
  status: string,
  moreFailed: readonly string[] = [],
): Outcome | 'pending' {
  const statuses = finalStatuses[type];
  if (Object.hasOwn(statuses, status)) return statuses[status] ?? 'pending';
  if (type === 'invoice') return 'pending';
  return blockCode.test(status) || moreFailed.includes(status) ? 'failed' : 'pending';
}
