import type { StatusMap } from '#validators/status-map';
import { StatusMap as isStatusMap } from '#validators/status-map';
import { type PointedFault, readCheckedJson } from '../../json/checked-file.js';
import { pointer } from '../../json/pointers.js';
import { toTiyns } from '../amount.js';
import type { Outcome, Payment, PaymentType } from '../payment.js';
import type { AmountFault } from '../providers/answer-values.js';

/** The meaning of a status: an outcome, or `pending` for an open payment. */
export type Meaning = Outcome | 'pending';

/** The statuses of the API contract, and additional statuses of failed and open payments. */
const knownStatuses: Readonly<Record<PaymentType, Readonly<Record<string, Meaning>>>> = {
  qr: {
    QrTokenCreated: 'pending',
    QrTokenScanned: 'pending',
    Wait: 'pending',
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
    RemotePaymentCreated: 'pending',
    Processed: 'success',
    RemotePaymentCanceled: 'failed',
    RemotePaymentRejected: 'failed',
    Expired: 'expired',
  },
};

/** A bank's numbered status for a blocked account of the payer or the payee. */
const blockCode = /^Iris(?:Src|Dest)BlockCode\d+$/;

/** Returns the built-in meaning of a status; undefined if the status is unknown. */
export function knownMeaning(type: PaymentType, status: string): Meaning | undefined {
  const statuses = knownStatuses[type];
  if (Object.hasOwn(statuses, status)) return statuses[status];
  return type === 'qr' && blockCode.test(status) ? 'failed' : undefined;
}

/**
 * Returns the latest known outcome of a payment, which a provider may change after the payment has ended. Returns
 * undefined if the payment is open or its outcome is unknown.
 */
export function lastOutcome({ outcome, flippedOutcome }: Payment): Outcome | undefined {
  const last = flippedOutcome ?? outcome;
  return last === 'unknown' ? undefined : last;
}

/** Statuses configured by the operator. They never override a built-in status. */
export interface FurtherStatuses {
  /** QR statuses that mean failure. */
  readonly qrFailed?: readonly string[];
  readonly map?: StatusMap | undefined;
}

/** Returns the meaning of a status; undefined if it is unknown. An unknown status never ends a payment. */
export function meaningOf(
  type: PaymentType,
  status: string,
  { qrFailed = [], map = {} }: FurtherStatuses = {},
): Meaning | undefined {
  const known = knownMeaning(type, status);
  if (known !== undefined) return known;
  const named = map[type];
  if (named && Object.hasOwn(named, status)) return named[status];
  return type === 'qr' && qrFailed.includes(status) ? 'failed' : undefined;
}

/**
 * The reason why an amount contradicts a success: it differs from the order, is unreadable, or is in a different
 * currency.
 */
export type Contradiction = AmountFault | 'other_amount';

/**
 * Returns the reason why an answer's amount contradicts the ordered amount (tenge); undefined if it does not. A missing
 * amount is not a contradiction.
 */
export function contradictionOf(
  ordered: number,
  { amount, amountFault }: { amount: number | null; amountFault?: AmountFault | undefined },
): Contradiction | undefined {
  if (amountFault) return amountFault;
  return amount === null || toTiyns(amount) === toTiyns(ordered) ? undefined : 'other_amount';
}

interface Source {
  /** The file's name, for messages. */
  readonly file: string;
  readonly text: string;
  /** QR statuses that mean failure according to `MSGSITE_QR_FAILED_STATUSES`. */
  readonly qrFailed: readonly string[];
}

/**
 * Parses the file named by `MSGSITE_STATUS_MAP`, which adds statuses to the built-in ones. Throws a `configuration`
 * error that names the variable and lists every fault with file, line, column and rule.
 */
export function parseStatusMap({ file, text, qrFailed }: Source): StatusMap {
  return readCheckedJson({
    file,
    text,
    what: 'MSGSITE_STATUS_MAP: the statuses',
    hint: 'Fix these lines, or unset MSGSITE_STATUS_MAP. docs/payments/gateway.md describes the file.',
    isSound: isStatusMap,
    furtherFaults: (map) => [...redefined(map), ...contradicting(map, qrFailed)],
  });
}

/** Returns a fault for each built-in status to which the file assigns a different meaning. */
function redefined(map: StatusMap): PointedFault[] {
  return (['qr', 'invoice'] as const).flatMap((type) =>
    Object.entries(map[type] ?? {}).flatMap(([status, meaning]) => {
      const known = knownMeaning(type, status);
      if (known === undefined || known === meaning) return [];
      const path = pointer(type, status);
      const message = `${path} means ${known} and cannot be redefined (known-status)`;
      return [{ path, message, atKey: true }];
    }),
  );
}

function contradicting({ qr = {} }: StatusMap, qrFailed: readonly string[]): PointedFault[] {
  return Object.entries(qr).flatMap(([status, meaning]) => {
    if (meaning === 'failed' || !qrFailed.includes(status)) return [];
    const path = pointer('qr', status);
    const message = `${path} means failed in MSGSITE_QR_FAILED_STATUSES and ${meaning} here (contradiction)`;
    return [{ path, message, atKey: true }];
  });
}
