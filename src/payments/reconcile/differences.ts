import type {
  Differences,
  Flipped,
  IntentView,
  MissingHere,
  MissingThere,
  OtherAmount,
  OtherStatus,
} from '#validators/gateway';
import { formatTenge } from '../../words/formats.js';
import type { Payment, PaymentType } from '../payment.js';

/** Identifies a payment in a list of differences. */
type Named = Pick<OtherStatus, 'organizationId' | 'type' | 'paymentId'>;

/** Returns the number of differences. A payment in both `otherStatus` and `flipped` is counted once. */
export function countDifferences(differences: Differences): number {
  const { missingHere, missingThere, otherAmount, flipped, inDoubt } = differences;
  const lists = [missingHere, missingThere, otherAmount, flipped, inDoubt];
  return lists.reduce((sum, list) => sum + list.length, notFlipped(differences).length);
}

/** Returns the other statuses of payments that are not listed as flipped. */
function notFlipped({ otherStatus, flipped }: Differences): OtherStatus[] {
  const names = new Set(flipped.map(nameOf));
  return otherStatus.filter((each) => !names.has(nameOf(each)));
}

function nameOf({ organizationId, type, paymentId }: Named): string {
  return `${organizationId} ${type} ${paymentId}`;
}

/** Returns the name of a stored payment in a list of differences. */
export function named({
  organizationId,
  type,
  id,
}: Payment): Named & { readonly type: PaymentType } {
  return { organizationId, type, paymentId: id };
}

/** A command as its path and arguments: `pay adopt`, `1795`, `--type`, `qr`. */
export interface NextStep {
  readonly path: string;
  readonly words: readonly string[];
}

/** A difference in readable form: its subject, its description and the next steps. */
export interface DescribedDifference {
  readonly kind: keyof Omit<Differences, 'day'>;
  /** The payment's or intent's ID. */
  readonly id: string;
  readonly amount: number | null;
  /** A predicate whose subject is the ID. */
  readonly says: string;
  /** Instructions; '' if the commands are sufficient. */
  readonly advice: string;
  readonly next: readonly NextStep[];
}

/** Describes every difference of a day. */
export function describeDifferences(differences: Differences): DescribedDifference[] {
  const { missingHere, missingThere, otherAmount, flipped, inDoubt } = differences;
  return [
    ...describeAll('missingHere', missingHere, describeMissingHere),
    ...describeAll('missingThere', missingThere, describeMissingThere),
    ...describeAll('otherAmount', otherAmount, describeOtherAmount),
    ...describeAll('otherStatus', notFlipped(differences), describeOtherStatus),
    ...describeAll('flipped', flipped, describeFlipped),
    ...describeAll('inDoubt', inDoubt, describeInDoubt),
  ];
}

type Description = Pick<DescribedDifference, 'says' | 'advice'> & Partial<DescribedDifference>;

function describeAll<
  Row extends { readonly amount: number | null } & (Named | Pick<IntentView, 'intent'>),
>(
  kind: DescribedDifference['kind'],
  rows: readonly Row[],
  describe: (row: Row) => Description,
): DescribedDifference[] {
  return rows.map((row) => {
    const id = 'intent' in row ? row.intent : row.paymentId;
    return { kind, id, amount: row.amount, next: [], ...describe(row) };
  });
}

function describeMissingHere({ type, paymentId: id, status }: MissingHere): Description {
  if (type === 'refund') {
    const says = 'was refunded at the provider, but no refund is stored here';
    return { says, advice: 'Find out who refunded it, and where.' };
  }
  const says = `exists at the provider (${status ?? 'no status'}), but is not stored here`;
  const words = type === null ? [id] : [id, '--type', type];
  return { says, advice: '', next: [{ path: 'pay adopt', words }] };
}

function describeMissingThere({ type, status }: MissingThere): Description {
  const says =
    type === 'refund'
      ? 'was refunded according to the stored records, but not at the provider'
      : `is stored here (${status}), but is unknown to the provider`;
  return { says, advice: 'Ask the provider about it.' };
}

function describeOtherAmount({ amount, providerAmount }: OtherAmount): Description {
  const ordered = formatTenge(amount);
  const says =
    providerAmount === null
      ? `has an unreadable amount or a different currency at the provider instead of ${ordered}`
      : `is ${formatTenge(providerAmount)} at the provider instead of ${ordered}`;
  return { says, advice: 'Ask the provider which amount was paid.' };
}

function describeOtherStatus(other: OtherStatus): Description {
  const { paymentId: id, state, status, providerStatus } = other;
  const here = {
    open: `is still open here (${status})`,
    ended: `ended here as ${status}`,
    unknown: `has an unknown outcome here (last status: ${status})`,
  }[state];
  const says = `is ${providerStatus} at the provider, but ${here}`;
  if (state !== 'open') return { says, advice: 'Ask the provider about it.' };
  const advice = 'Either no serve is watching it, or nobody is signed in.';
  return { says, advice, next: [{ path: 'pay wait', words: [id] }] };
}

function describeFlipped({ status, flippedTo }: Flipped): Description {
  const says =
    status === flippedTo
      ? `ended as ${status}, changed to a different status at the provider, and is ${status} again`
      : `ended as ${status}, but is ${flippedTo} at the provider now`;
  const advice =
    'Its webhook reported the first outcome and is not withdrawn. Correct the order manually.';
  return { says, advice };
}

function describeInDoubt({ intent, kind, createdAt, candidates }: IntentView): Description {
  const none = { path: 'pay adopt', words: ['--none', intent] };
  const similar = candidates.map(({ id, madeAt }) => `${id} made at ${madeAt}`).join(', ');
  const doubt = `is in doubt: it is not known yet whether this ${names[kind]}, requested at ${createdAt}, was made`;
  return {
    says: similar === '' ? doubt : `${doubt}; similar operations at the provider: ${similar}`,
    advice: kind === 'refund' ? refundAdvice : paymentAdvice,
    next:
      kind === 'refund' && similar === ''
        ? [none]
        : [{ path: 'pay adopt', words: ['ID', '--intent', intent] }, none],
  };
}

const names = { qr: 'QR payment', invoice: 'invoice', refund: 'refund' } as const;

const paymentAdvice =
  'Look for it at the provider. If it was made, adopt it; otherwise, close the request.';
const refundAdvice =
  'Repeat the refund, which uses the same key, or look for it at the provider. If the return was made, adopt it; otherwise, close the request.';
