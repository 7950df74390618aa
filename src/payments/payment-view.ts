import type {
  IntentRow,
  IntentView,
  PaymentAdopted,
  PaymentRow,
  RefundRow,
} from '#validators/gateway';
import type { Intent, Refund } from '#validators/payment-records';
import type { Adopted } from './intents/adopt.js';
import type { RunningIntent } from './intents/intent.js';
import { cursorOf, type Payment } from './payment.js';
import { lastOutcome } from './watching/payment-rules.js';

/** Returns a payment as it appears in the API: times in ISO 8601 (UTC), amounts in tenge. */
export function paymentView(payment: Payment): PaymentRow {
  const { id, type, state, organizationId, amount, status, statusDesc } = payment;
  const { qrToken, receiptUrl, orderNumber, expiresAt, endedAt } = payment;
  return {
    paymentId: id,
    type,
    organizationId,
    state,
    outcome: payment.outcome ?? null,
    ...(payment.reason === undefined ? {} : { reason: payment.reason }),
    status,
    statusDesc,
    flippedTo: payment.flippedTo ?? null,
    ...(payment.flippedTo === undefined
      ? {}
      : { flippedOutcome: lastOutcome(payment) ?? 'unknown' }),
    amount,
    qrToken,
    receiptUrl,
    orderNumber,
    clientPhone: payment.clientPhone ?? null,
    reference: payment.reference ?? null,
    ...(payment.sandbox ? { sandbox: true } : {}),
    createdAt: iso(payment),
    expiresAt: isoTime(expiresAt),
    endedAt: isoTime(endedAt),
    cursor: cursorOf(payment),
  };
}

/** A refund as it appears in the API; `outcome` is null while it is unknown. */
export type RefundView = Omit<RefundRow, 'cursor'>;

export function refundView(refund: Refund): RefundView {
  const { id, paymentId, amount, outcome, cashier } = refund;
  return { id, paymentId, type: 'refund', amount, outcome, cashier, createdAt: iso(refund) };
}

/** Returns a refund in doubt under the ID of its intent, because the provider's ID is unknown. */
export function doubtfulRefundView(intent: Intent): RefundView {
  const { id, paymentId = '', amount, cashier } = intent;
  return { id, paymentId, type: 'refund', amount, outcome: null, cashier, createdAt: iso(intent) };
}

/** Returns an intent as it appears in lists of differences. */
export function intentView(intent: Intent): IntentView {
  const { id, kind, amount, key, candidates = [] } = intent;
  return {
    ...{ intent: id, kind, amount, key, createdAt: iso(intent) },
    candidates: candidates.map((each) => ({
      ...each,
      madeAt: new Date(each.madeAt).toISOString(),
    })),
  };
}

/** Returns an intent as it appears in the gateway's API. */
export function intentRow(intent: Intent, isKeyTaken: (intent: Intent) => boolean): IntentRow {
  const { state, paymentId = null, closedAt } = intent;
  const row = { ...intentView(intent), state, paymentId, closedAt: isoTime(closedAt) };
  return state === 'adopted' ? { ...row, keyTaken: isKeyTaken(intent) } : row;
}

/** Returns the row of a call in progress. A call whose process has died is in doubt, even if this is not stored yet. */
export function runningRow({ intent, holder }: RunningIntent): IntentRow {
  return { ...intentRow(intent, () => false), state: holder === 'nobody' ? 'in_doubt' : 'running' };
}

/** Returns the result of an adoption: the payment and the intents that it settled. */
export function adoptedView(
  { payment, isNew, settled }: Adopted,
  isKeyTaken: (intent: Intent) => boolean,
): PaymentAdopted {
  const rows = settled.map((each) => intentRow(each, isKeyTaken));
  return { payment: paymentView(payment), isNew, settled: rows };
}

function iso({ createdAt }: { readonly createdAt: number }): string {
  return new Date(createdAt).toISOString();
}

function isoTime(instant: number | null | undefined): string | null {
  return instant === null || instant === undefined ? null : new Date(instant).toISOString();
}
