import type { DayReport, PaymentRow } from '#validators/gateway';
import { AppError, type ErrorCode, exitCodes } from '../../../src/base/errors.js';
import { fromTiyns, toTiyns } from '../../../src/payments/amount.js';
import { ConnectionFailure, type Stage } from '../../../src/payments/client/remote-failures.js';
import type { OperationRow } from '../../../src/payments/providers/operation-rows.js';
import { knownMeaning } from '../../../src/payments/watching/payment-rules.js';
import type {
  DayTotals,
  PastOperation,
  Returnable,
  TillFailure,
  TillPayment,
} from '../../../src/terminal/till/till-types.js';
import { toRow } from '../operation-rows.js';
import { cardOf, type PaymentExtras, resultKindOf } from '../payment-view.js';

/** Maximum length of a name or status in the till, in characters. */
const maxTextLength = 100;

/** Returns a stored payment for the till. Truncates the provider's texts. */
export function tillPayment(row: PaymentRow, extras: PaymentExtras = {}): TillPayment {
  const card = cardOf(row, {
    orgName: extras.orgName,
    clientName: extras.clientName?.slice(0, maxTextLength),
  });
  return {
    key: `${row.organizationId}-${row.type}-${row.paymentId}`,
    type: row.type,
    organizationId: row.organizationId,
    card,
    status: row.status.slice(0, maxTextLength),
    statusDesc: row.statusDesc.slice(0, maxTextLength),
    isOpen: row.state === 'open',
    kind: resultKindOf(row),
    endedAt: row.endedAt === null ? undefined : Date.parse(row.endedAt),
  };
}

/** Returns an operation with its refundable amount; undefined if nothing can be refunded. */
export function returnableOf(row: OperationRow): Returnable | undefined {
  const { id, amount, returned, status } = row;
  const isPaid = knownMeaning(row.type ?? 'qr', status ?? '') === 'success';
  if (!isPaid || amount === null || id === null || !/^\d{1,30}$/.test(id)) return undefined;
  const left = fromTiyns(toTiyns(amount) - toTiyns(returned ?? 0));
  if (left <= 0) return undefined;
  const { date, client, phone } = toRow(row);
  return {
    id,
    when: date.slice(0, 16),
    client: (client || phone).slice(0, maxTextLength),
    amount,
    left,
  };
}

export function pastOperation(row: OperationRow): PastOperation {
  const { id, date, amount, status, client, phone } = toRow(row);
  const short = (text: string) => text.slice(0, maxTextLength);
  return {
    id: short(id),
    when: date.slice(0, 16),
    amount,
    status: short(status),
    client: short(client || phone),
  };
}

export function dayTotals({ day, gross, refund, net }: DayReport): DayTotals {
  return { day, gross, returned: refund, net };
}

/** Codes of temporary errors that mean that nothing was done. */
const temporary: ReadonlySet<ErrorCode> = new Set([
  'storage_unavailable',
  'payments_unavailable',
  'shutting_down',
  'request_timeout',
  'rate_limited',
]);

/** Maximum length of a message in the till, in characters. */
const maxMessageLength = 300;

/** Returns a failure with its kind, which determines how the till reacts. */
export function tillFailure(error: unknown): TillFailure {
  return { kind: kindOf(error), text: textOf(error).slice(0, maxMessageLength) };
}

/** Returns the error's message, or the cause's message without advice for API clients if the outcome is unknown. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isUnknown = error instanceof AppError && error.fields.outcome === 'unknown';
  return isUnknown && error.cause instanceof AppError ? error.cause.message : error.message;
}

function kindOf(error: unknown): TillFailure['kind'] {
  if (!(error instanceof AppError)) return 'refused';
  if (error.fields.outcome === 'unknown') return isUnanswered(error) ? 'away' : 'doubt';
  if (error.exitCode === exitCodes.notSignedIn) return 'signed_out';
  return temporary.has(error.code) ? 'away' : 'refused';
}

/** Stages of requests that received no response. */
const unanswered: ReadonlySet<Stage> = new Set(['unsent', 'broken', 'late']);

/**
 * Returns whether a remote gateway did not respond. When the gateway is available again, the till repeats the request
 * with the same key, so that it is executed only once.
 */
function isUnanswered({ cause }: AppError): boolean {
  return cause instanceof ConnectionFailure && unanswered.has(cause.stage);
}
