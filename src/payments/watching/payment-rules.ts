import type { StatusMap } from '#validators/status-map';
import { StatusMap as isStatusMap } from '#validators/status-map';
import { type PointedFault, readCheckedJson } from '../../json/checked-file.js';
import { pointer } from '../../json/pointers.js';
import { toTiyns } from '../amount.js';
import type { Outcome, Payment, PaymentType } from '../payment.js';
import type { AmountFault } from '../providers/answer-values.js';

/** What a status says of a payment: how it ended, or that it has not. */
export type Meaning = Outcome | 'pending';

/**
 * The statuses of the contract, with the open-ended list of failed QR statuses filled in, and those of a
 * payment that has not ended.
 */
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

/** A bank's numbered block of the payer's or the payee's account. */
const blockCode = /^Iris(?:Src|Dest)BlockCode\d+$/;

/** What the contract and this program themselves say of a status; undefined where they say nothing. */
export function knownMeaning(type: PaymentType, status: string): Meaning | undefined {
  const statuses = knownStatuses[type];
  if (Object.hasOwn(statuses, status)) return statuses[status];
  return type === 'qr' && blockCode.test(status) ? 'failed' : undefined;
}

/**
 * Returns how a payment has ended as far as is known now, as a provider may change an outcome. Undefined while it is open,
 * or if its outcome is unknown.
 */
export function lastOutcome(payment: Payment): Outcome | undefined {
  const { type, outcome, flippedTo, flippedOutcome } = payment;
  if (flippedTo === undefined) return outcome;
  // Older records contain only the status.
  const last = flippedOutcome ?? knownMeaning(type, flippedTo);
  return last === 'unknown' || last === 'pending' ? undefined : last;
}

/** Statuses that the operator has named. They never override a known one. */
export interface FurtherStatuses {
  /** QR statuses that count as failed. */
  readonly qrFailed?: readonly string[];
  readonly map?: StatusMap | undefined;
}

/**
 * What `status` means for a payment. Undefined for one that is in no list: it ends nothing, as the outcome of
 * money is never guessed, and somebody should hear of it.
 */
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

/** The contradictions of a success: another amount than the ordered one, an unreadable one, or another currency. */
export type Contradiction = AmountFault | 'other_amount';

/** Returns why an answer's amount contradicts the ordered amount (tenge). A missing amount contradicts nothing. */
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
  /** QR statuses that count as failed by another setting. */
  readonly qrFailed: readonly string[];
}

/**
 * Returns the statuses that the file named by `MSGSITE_STATUS_MAP` adds to the known ones. Throws one `configuration`
 * error that names the variable and lists every fault with file, line, column and rule.
 */
export function parseStatusMap({ file, text, qrFailed }: Source): StatusMap {
  return readCheckedJson({
    file,
    text,
    what: 'MSGSITE_STATUS_MAP: the statuses',
    hint: 'Correct these lines, or unset MSGSITE_STATUS_MAP. docs/payments/gateway.md describes the file.',
    isSound: isStatusMap,
    furtherFaults: (map) => [...redefined(map), ...contradicting(map, qrFailed)],
  });
}

/** What the contract calls paid or failed is so, whatever a file says; saying the same is harmless. */
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
