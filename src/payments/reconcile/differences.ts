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

/** What both sides call a payment. */
type Named = Pick<OtherStatus, 'organizationId' | 'type' | 'paymentId'>;

/** How many there are of each kind, and in all; what is in `otherStatus` and `flipped` counts once. */
export function countDifferences(differences: Differences): number {
  const { missingHere, missingThere, otherAmount, flipped, inDoubt } = differences;
  const lists = [missingHere, missingThere, otherAmount, flipped, inDoubt];
  return lists.reduce((sum, list) => sum + list.length, notFlipped(differences).length);
}

/** Other statuses of payments that are not listed as flipped already. */
function notFlipped({ otherStatus, flipped }: Differences): OtherStatus[] {
  const names = new Set(flipped.map(nameOf));
  return otherStatus.filter((each) => !names.has(nameOf(each)));
}

function nameOf({ organizationId, type, paymentId }: Named): string {
  return `${organizationId} ${type} ${paymentId}`;
}

/** The name of a payment of ours in a list of differences. */
export function named({
  organizationId,
  type,
  id,
}: Payment): Named & { readonly type: PaymentType } {
  return { organizationId, type, paymentId: id };
}

/** A command as its path and words: `pay adopt`, `1795`, `--type`, `qr`. */
export interface NextStep {
  readonly path: string;
  readonly words: readonly string[];
}

/** One difference in words: what it is about, what is wrong, and what to do. */
export interface DescribedDifference {
  readonly kind: keyof Omit<Differences, 'day'>;
  /** The payment's or intent's id. */
  readonly id: string;
  readonly amount: number | null;
  readonly says: string;
  /** What a person has to decide or find out; '' where the commands say it all. */
  readonly advice: string;
  readonly next: readonly NextStep[];
}

/** Every difference of a day in words, each payment once for each thing that differs. */
export function describeDifferences(differences: Differences): DescribedDifference[] {
  return [
    ...differences.missingHere.map(describeMissingHere),
    ...differences.missingThere.map(describeMissingThere),
    ...differences.otherAmount.map(describeOtherAmount),
    ...notFlipped(differences).map(describeOtherStatus),
    ...differences.flipped.map(describeFlipped),
    ...differences.inDoubt.map(describeInDoubt),
  ];
}

function describeMissingHere(missing: MissingHere): DescribedDifference {
  const { type, paymentId: id, amount, status } = missing;
  const about = { kind: 'missingHere', id, amount } as const;
  if (type === 'refund') {
    const says = 'was returned at the provider; no refund of it is stored here';
    return { ...about, says, advice: 'Find out who returned it, and where.', next: [] };
  }
  const says = `the provider has it (${status ?? 'without a status'}); it is not stored here`;
  const words = type === null ? [id] : [id, '--type', type];
  return { ...about, says, advice: '', next: [{ path: 'pay adopt', words }] };
}

function describeMissingThere({
  type,
  paymentId: id,
  amount,
  status,
}: MissingThere): DescribedDifference {
  const isRefund = type === 'refund';
  return {
    kind: 'missingThere',
    id,
    amount,
    says: isRefund
      ? 'was returned by what is stored here; the provider has not returned it'
      : `is stored here (${status}); the provider does not know it`,
    advice: 'Ask the provider about it.',
    next: [],
  };
}

function describeOtherAmount({
  paymentId: id,
  amount,
  providerAmount,
}: OtherAmount): DescribedDifference {
  const ordered = formatTenge(amount);
  return {
    kind: 'otherAmount',
    id,
    amount,
    says:
      providerAmount === null
        ? `the provider has an amount that is unreadable or not in tenge instead of ${ordered}`
        : `the provider has ${formatTenge(providerAmount)} instead of ${ordered}`,
    advice: 'Ask the provider which one was paid.',
    next: [],
  };
}

function describeOtherStatus(other: OtherStatus): DescribedDifference {
  const { paymentId: id, amount, state, status, providerStatus } = other;
  const about = { kind: 'otherStatus', id, amount } as const;
  const here = {
    open: `it is still open (${status})`,
    ended: `it has ended as ${status}`,
    unknown: `its outcome is unknown (the last status was ${status})`,
  }[state];
  const says = `the provider reports ${providerStatus}; here, ${here}`;
  if (state !== 'open') return { ...about, says, advice: 'Ask the provider about it.', next: [] };
  const advice = 'No serve is watching it, or nobody is signed in.';
  return { ...about, says, advice, next: [{ path: 'pay wait', words: [id] }] };
}

function describeFlipped({
  paymentId: id,
  amount,
  status,
  flippedTo,
}: Flipped): DescribedDifference {
  return {
    kind: 'flipped',
    id,
    amount,
    says:
      status === flippedTo
        ? `ended as ${status}, had another status at the provider since, and is ${status} again`
        : `ended as ${status}, and is ${flippedTo} at the provider now`,
    advice: 'Its webhook told of the first end and is not taken back: correct the order by hand.',
    next: [],
  };
}

function describeInDoubt(doubt: IntentView): DescribedDifference {
  const { intent, kind, amount, createdAt, candidates } = doubt;
  const none = { path: 'pay adopt', words: ['--none', intent] };
  const similar = candidates.map(({ id, madeAt }) => `${id} made at ${madeAt}`).join(', ');
  const asked = `it is not known yet whether this ${names[kind]}, requested at ${createdAt}, was made`;
  return {
    kind: 'inDoubt',
    id: intent,
    amount,
    says: similar === '' ? asked : `${asked}; similar at the provider: ${similar}`,
    advice: kind === 'refund' ? refundAdvice : paymentAdvice,
    next:
      kind === 'refund' && similar === ''
        ? [none]
        : [{ path: 'pay adopt', words: ['ID', '--intent', intent] }, none],
  };
}

const names = { qr: 'QR payment', invoice: 'invoice', refund: 'refund' } as const;

const paymentAdvice =
  'Look for it at the provider. Adopt it where it was made, else say that it was not.';
const refundAdvice =
  'Repeat the refund, which uses the same key. Or look for it at the provider: adopt the return if it was made, else close the request.';
