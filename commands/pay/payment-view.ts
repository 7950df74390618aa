import type { PaymentRow } from '#validators/gateway';
import { exitCodes } from '../../src/base/errors.js';
import { escapeForeign } from '../../src/base/foreign-text.js';
import type { PaymentRecords } from '../../src/payments/client/gateway-client.js';
import type {
  PaymentCard,
  ResultKind,
  ResultWords,
} from '../../src/terminal/payment/payment-card.js';
import {
  describeResult,
  moneyText,
  sandboxResult,
} from '../../src/terminal/payment/payment-words.js';

/** Facts about a payment that are not in its record. */
export interface PaymentExtras {
  readonly orgName?: string | undefined;
  readonly clientName?: string | undefined;
  /** The refunded amount in tenge; undefined if nothing was refunded. */
  readonly returned?: number | undefined;
}

/** Returns the payment as it is shown on the cashier's screen. */
export function cardOf(
  payment: PaymentRow,
  { orgName, clientName, returned }: PaymentExtras = {},
): PaymentCard {
  const { paymentId: id, amount, qrToken, receiptUrl, orderNumber } = payment;
  const text = (value: string | null | undefined) => (value ? escapeForeign(value) : undefined);
  return {
    id,
    amount,
    returned,
    createdAt: Date.parse(payment.createdAt),
    link: text(qrToken),
    orgName: text(orgName),
    clientName: text(clientName),
    clientPhone: payment.clientPhone ?? undefined,
    orderNumber: text(orderNumber),
    receiptUrl: text(receiptUrl),
    sandbox: payment.sandbox,
    expiresAt: payment.expiresAt === null ? undefined : Date.parse(payment.expiresAt),
  };
}

/** Returns the latest outcome of a payment. The bank may have changed the first outcome. */
export function lastOutcomeOf({ outcome, flippedTo, flippedOutcome }: PaymentRow) {
  return flippedTo === null ? (outcome ?? 'unknown') : (flippedOutcome ?? 'unknown');
}

/** Returns the kind of result. The outcome of an open payment is unknown. */
export function resultKindOf(payment: PaymentRow, returned = 0): ResultKind {
  const last = lastOutcomeOf(payment);
  return last === 'success' && returned >= payment.amount ? 'returned' : last;
}

export function resultWordsOf(payment: PaymentRow, returned?: number): ResultWords {
  const words = describeResult(resultKindOf(payment, returned), payment);
  const { status, flippedTo } = payment;
  if (flippedTo === null) return words;
  const [first, last] = [status, flippedTo].map(escapeForeign);
  return { ...words, reason: `Corrected by the bank from ${first} to ${last}.` };
}

const exitCodeOf: Readonly<Record<ResultKind, number>> = {
  success: exitCodes.done,
  // The payment itself succeeded; the refund is a separate operation.
  returned: exitCodes.done,
  failed: exitCodes.paymentFailed,
  expired: exitCodes.paymentExpired,
  unknown: exitCodes.outcomeUnknown,
};

/** Returns the exit code of a command that has waited for the payment. */
export function waitingExitCode(payment: PaymentRow): number {
  return exitCodeOf[resultKindOf(payment)];
}

/** Returns the result of a payment as lines of text, for a stdout that is not a terminal. */
export function resultText(payment: PaymentRow, extras: PaymentExtras = {}): string {
  const { symbol, title, reason } = resultWordsOf(payment, extras.returned);
  const { orderNumber, receiptUrl, sandbox } = cardOf(payment);
  const lines = [`${symbol} ${title}  ${moneyText({ ...payment, ...extras })}`, reason];
  if (sandbox) lines.push(sandboxResult);
  if (orderNumber !== undefined) lines.push(`Order    ${orderNumber}`);
  if (lastOutcomeOf(payment) === 'success' && receiptUrl) lines.push(`Receipt  ${receiptUrl}`);
  return lines.join('\n');
}

/** Maximum number of refunds of one payment that `pay wait` adds up and `pay adopt` searches. */
const maxRefunds = 1_000;

/** Returns the refunds of a payment that were made or declined, newest first. */
export async function storedRefunds(
  records: PaymentRecords,
  { paymentId, organizationId }: PaymentRow,
) {
  const query = { only: 'ended', paymentId, organizationId, limit: maxRefunds } as const;
  return (await records.refunds(query)).rows;
}
