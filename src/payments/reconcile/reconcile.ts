import type { Differences, Flipped, MissingHere, Operations } from '#validators/gateway';
import type { Intent } from '#validators/payment-records';
import type { Clock } from '../../base/clock.js';
import type { CashierGateway } from '../gateway.js';
import type { Payment } from '../payment.js';
import { intentView } from '../payment-view.js';
import { operationsBack } from '../providers/operation-rows.js';
import { type ProviderCall, ProviderError } from '../providers/provider.js';
import type { Cashier } from '../sessions/sessions.js';
import type { FlippedFacts } from '../watching/flips.js';
import { type AskedGateway, askAgain } from './ask-again.js';
import {
  flippedOf,
  idsOf,
  type Judge,
  matchUp,
  otherAmountOf,
  otherStatusOf,
  type Pair,
  paymentOf,
  type TheirOperation,
  theirOperation,
} from './compare.js';
import { isWithin, spanOf } from './days.js';
import { named } from './differences.js';
import {
  assertBounded,
  intentsIn,
  type OwnStores,
  paymentsWithin,
  refundsByPayment,
} from './own-records.js';
import { compareRefunds, moreReturned, refundsOf } from './refund-differences.js';

type ComparedBank = AskedGateway & Pick<CashierGateway, 'operations'>;

export interface ReconcileOptions extends OwnStores {
  readonly gateway: { as(cashier: Cashier): ComparedBank };
  /** Checks once more for proof of an intent that was closed as never made. */
  recheck(closed: Intent, cashier: Cashier, call: ProviderCall): Promise<void>;
  /** Called for each ended payment that has a different final status at the provider. */
  noteFlip(payment: Payment, theirs: FlippedFacts): Promise<void>;
  readonly judge: Judge;
  /** IANA zone of the provider's days. */
  readonly zone: string;
  /** Interval between the starts of two polls of a payment, in milliseconds. */
  readonly interval: number;
  readonly clock: Clock;
}

/**
 * Compares the provider's operations of a day (`YYYY-MM-DD` in its zone) with the stored records of the cashier's
 * organization. Stores changed final statuses. Adopts the operation of an intent that was closed as never made that day
 * if the provider now has proof of it. Changes nothing else. Rejects if the provider's statement cannot be read or
 * `signal` aborts.
 */
export type Reconcile = (
  cashier: Cashier,
  day: string,
  signal: AbortSignal,
) => Promise<Differences>;

/**
 * Number of days that are read before and after the compared day, because clocks differ and payments may last past
 * midnight.
 */
const moreDays = 1;
/** Maximum wait for payments that have just ended at the provider, in milliseconds. @internal */
const maxPause = 10_000;

export function createReconcile(options: ReconcileOptions): Reconcile {
  const { gateway, payments: store, judge, zone, clock, interval, noteFlip } = options;

  async function readTheirs(bank: ComparedBank, day: string, signal: AbortSignal) {
    const theirs: TheirOperation[] = [];
    const { from, to } = spanOf(day, zone, moreDays);
    const ask = (period: Operations) => bank.operations(period);
    for await (const row of operationsBack(ask, { since: from, until: to - 1, zone })) {
      signal.throwIfAborted();
      const operation = theirOperation(row, zone);
      if (operation) theirs.push(operation);
      assertBounded(theirs.length);
    }
    return theirs;
  }

  /** Finds the stored payments of operations that match no payment of the day. */
  async function findOurs(
    organizationId: number,
    theirs: readonly TheirOperation[],
    signal: AbortSignal,
  ) {
    const pairs: Pair[] = [];
    const missing: TheirOperation[] = [];
    for (const operation of theirs) {
      signal.throwIfAborted();
      let ours: Payment | undefined;
      for (const id of idsOf(operation)) {
        ours ??= paymentOf(operation, await store.find({ id, organizationId }));
      }
      if (ours) pairs.push({ ours, theirs: operation });
      else missing.push(operation);
    }
    return { pairs, missing };
  }

  /** Reads the operations of payments that are not in the statement. Returns payments without an answer as missing. */
  async function findTheirs(bank: ComparedBank, ours: readonly Payment[], signal: AbortSignal) {
    const pairs: Pair[] = [];
    const missing: Payment[] = [];
    const answers = await askAgain(bank, ours, signal);
    for (const [index, payment] of ours.entries()) {
      const theirs = answers[index];
      if (theirs === undefined || typeof theirs === 'string') missing.push(payment);
      else pairs.push({ ours: payment, theirs });
    }
    return { pairs, missing };
  }

  /** Reads both sides again, because a difference may only be a delay. */
  async function readAgain(bank: ComparedBank, pairs: readonly Pair[], signal: AbortSignal) {
    if (pairs.some(({ ours }) => ours.state === 'open')) {
      await clock.sleep(Math.min(2 * interval, maxPause), signal);
    }
    signal.throwIfAborted();
    const payments = pairs.map(({ ours }) => ours);
    const answers = await askAgain(bank, payments, signal);
    return Promise.all(
      pairs.map(async ({ ours, theirs }, index): Promise<Pair> => {
        const { id, type, organizationId } = ours;
        const [now = ours] = await store.find({ id, type, organizationId });
        return { ours: now, theirs: renewed(theirs, answers[index]) };
      }),
    );
  }

  /** Matches the payments of a day with the provider's operations. */
  async function pairUp(cashier: Cashier, day: string, signal: AbortSignal) {
    const { organizationId } = cashier.session;
    const bank = gateway.as(cashier);
    const { isOurs, isTheirs } = daysOf(day, zone);
    const theirs = await readTheirs(bank, day, signal);
    const ours = await paymentsWithin(options, organizationId, spanOf(day, zone, moreDays));
    const [refundRows, operations] = [true, false].map((isRefund) =>
      theirs.filter(({ type }) => (type === 'refund') === isRefund),
    );
    const matched = matchUp(ours, operations ?? []);
    const elsewhere = await findOurs(organizationId, matched.onlyTheirs.filter(isTheirs), signal);
    const requested = await findTheirs(bank, matched.onlyOurs.filter(isOurs), signal);
    const ofDay = matched.pairs.filter((pair) => isOurs(pair.ours) || isTheirs(pair.theirs));
    return {
      pairs: [...ofDay, ...elsewhere.pairs, ...requested.pairs],
      onlyTheirs: elsewhere.missing,
      onlyOurs: requested.missing,
      refundRows: (refundRows ?? []).filter(isTheirs),
    };
  }

  /** Reads pairs with differences again and returns all pairs. */
  async function settle(cashier: Cashier, pairs: readonly Pair[], signal: AbortSignal) {
    const known = await refundsByPayment(options, cashier.session.organizationId);
    const differs = ({ ours, theirs }: Pair) =>
      otherAmountOf({ ours, theirs }) !== undefined ||
      otherStatusOf({ ours, theirs }, judge) !== undefined ||
      moreReturned(theirs.returned, refundsOf(ours, known)) !== 0;
    const same = pairs.filter((pair) => !differs(pair));
    return [...same, ...(await readAgain(gateway.as(cashier), pairs.filter(differs), signal))];
  }

  /**
   * Checks for operations that were made late. Ignores failures, except that the end of the session ends the
   * comparison.
   */
  async function recheckClosed(cashier: Cashier, day: string, signal: AbortSignal): Promise<void> {
    const { organizationId } = cashier.session;
    const { isOurs } = daysOf(day, zone);
    for (const closed of await intentsIn(options, organizationId, 'not_made', 'abandoned')) {
      if (!isOurs(closed)) continue;
      signal.throwIfAborted();
      await options.recheck(closed, cashier, { signal }).catch((error: unknown) => {
        if (!(error instanceof ProviderError) || error.kind === 'session_ended') throw error;
      });
    }
  }

  async function flipsOf(pairs: readonly Pair[]): Promise<Flipped[]> {
    const flips: Flipped[] = [];
    for (const pair of pairs) {
      const flip = flippedOf(pair, judge);
      if (!flip) continue;
      flips.push(flip);
      const { amount, amountFault } = pair.theirs;
      // The provider may have returned to the first status since.
      const isBack = pair.theirs.status === pair.ours.status;
      const status = isBack ? pair.ours.status : flip.flippedTo;
      if (status === pair.ours.flippedTo) continue;
      const facts = { status, amount, ...(amountFault ? { amountFault } : {}) };
      await noteFlip(pair.ours, facts);
    }
    return flips;
  }

  return async function reconcile(cashier, day, signal) {
    const { organizationId } = cashier.session;
    const { isOurs } = daysOf(day, zone);
    await recheckClosed(cashier, day, signal);
    const { onlyTheirs, onlyOurs, refundRows, ...paired } = await pairUp(cashier, day, signal);
    const pairs = await settle(cashier, paired.pairs, signal);
    const inDoubt = await intentsIn(options, organizationId, 'in_doubt');
    const known = await refundsByPayment(options, organizationId);
    const facts = { pairs, refundRows, isOfDay: isOurs, inDoubt, known, signal };
    const refunds = await compareRefunds(gateway.as(cashier), organizationId, facts);
    const missing = onlyTheirs.map((operation) => missingHere(organizationId, operation));
    return {
      day,
      missingHere: [...missing, ...refunds.missingHere],
      missingThere: [...onlyOurs.map(missingThere), ...refunds.missingThere],
      otherAmount: pairs.flatMap((pair) => otherAmountOf(pair) ?? []),
      otherStatus: pairs.flatMap((pair) => otherStatusOf(pair, judge) ?? []),
      flipped: await flipsOf(pairs),
      inDoubt: inDoubt.filter(isOurs).map(intentView),
    };
  };
}

/** Returns predicates that select the records of a day, by the local clock and by the provider's clock. */
function daysOf(day: string, zone: string) {
  const span = spanOf(day, zone);
  return {
    isOurs: ({ createdAt }: { readonly createdAt: number }) => isWithin(createdAt, span),
    isTheirs: ({ at }: TheirOperation) => at !== null && isWithin(at, span),
  };
}

/** Returns an operation updated with a newer answer. */
function renewed(theirs: TheirOperation, answer: unknown): TheirOperation {
  if (typeof answer !== 'object' || answer === null) return theirs;
  const { amount, amountFault, returned, status } = answer as TheirOperation;
  return {
    ...theirs,
    amount: amount ?? theirs.amount,
    amountFault: amountFault ?? (amount === null ? theirs.amountFault : undefined),
    returned: returned ?? theirs.returned,
    status: status ?? theirs.status,
  };
}

function missingHere(
  organizationId: number,
  { id, type, amount, status, at }: TheirOperation,
): MissingHere {
  const createdAt = at === null ? null : new Date(at).toISOString();
  return { organizationId, type, paymentId: id, amount, status, createdAt };
}

function missingThere(payment: Payment) {
  const { amount, status, createdAt } = payment;
  return { ...named(payment), amount, status, createdAt: new Date(createdAt).toISOString() };
}
