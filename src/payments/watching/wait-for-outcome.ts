import { AppError } from '../../base/errors.js';
import { onePayment } from '../one-payment.js';
import type { PaymentParts } from '../parts.js';
import { type Payment, paymentKey } from '../payment.js';
import type { PaymentLease, PaymentQuery } from '../store.js';
import { type Poll, seenBy } from './poll.js';
import { historyAfter, historyOf, isStuck, nextPoll } from './poll-schedule.js';
import type { Settle } from './settle.js';

export interface WaitOptions<Row = Payment> {
  /** Ends the wait when it aborts. The payment stays open. */
  readonly signal: AbortSignal;
  /** Called with the payment at the beginning and whenever its record has changed. */
  onChange?(payment: Row): void;
  /**
   * Called after every poll by this process, with its error if it failed. Also called when the storage is unavailable.
   */
  onPoll?(failure: AppError | undefined): void;
}

export interface Waited<Row = Payment> {
  /** The latest record; still `open` if the signal ended the wait. */
  readonly payment: Row;
  /** True if this process, and not a running `serve`, announced the outcome. */
  readonly endedHere: boolean;
}

/** Waits until a payment is no longer open. Throws `not_found` if no payment matches and `conflict` if several do. */
export type WaitForOutcome = (query: PaymentQuery, options: WaitOptions) => Promise<Waited>;

interface WaitForOutcomeOptions extends PaymentParts {
  readonly poll: Poll;
  readonly settle: Settle;
}

interface Watching {
  readonly notify: (payment: Payment) => void;
  readonly onPoll: (failure: AppError | undefined) => void;
  readonly signal: AbortSignal;
}

/**
 * Returns false for a `conflict`, which means that this process was suspended and another one has taken over the claim.
 */
function falseIfLost(error: unknown): false {
  if (error instanceof AppError && error.code === 'conflict') return false;
  throw error;
}

/** Interval between two reads of the record while another process watches the payment, in milliseconds. */
const followInterval = 300;
/** Interval between two renewals of a claim, in milliseconds. A claim is lost once a `serve` has started. */
const renewInterval = 2000;

/**
 * Creates the function that waits for an outcome. While a `serve` runs, it reads the record that `serve` updates.
 * Otherwise it claims the payment and polls it as `serve` would, until a `serve` starts.
 */
export function createWaitForOutcome(options: WaitForOutcomeOptions): WaitForOutcome {
  const { store, sessions, poll, settle, clock, interval } = options;

  return async function waitForOutcome(query, waiting) {
    const { signal, onChange = () => {}, onPoll = () => {} } = waiting;
    let payment = await findOrFail(query);
    let endedHere = false;
    onChange(payment);
    const notify = (seen: Payment) => {
      if (JSON.stringify(seen) !== JSON.stringify(payment)) onChange(seen);
      payment = seen;
    };
    const follow = async () => {
      const lease = await store.claimOne(paymentKey(payment), 'pay');
      const watching = { notify, onPoll, signal };
      if (!lease) await clock.sleep(followInterval, signal);
      else if (await watchAlone(payment, lease, watching).catch(falseIfLost)) endedHere = true;
      notify(await findOrFail(payment));
    };
    while (payment.state === 'open' && !signal.aborted) {
      try {
        await follow();
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'storage_unavailable') throw error;
        // If a result cannot be stored, the next poll returns it again.
        onPoll(error);
        await clock.sleep(renewInterval, signal);
      }
    }
    if (endedHere) await sessions.eraseEnded().catch(() => {}); // If this fails, the next serve does it.
    return { payment, endedHere };
  };

  async function findOrFail(query: PaymentQuery): Promise<Payment> {
    return onePayment(await store.find(query), query.id);
  }

  /**
   * Polls the payment. Returns true once it has ended here, and false if it ended elsewhere, the claim was lost, or the
   * wait has ended.
   */
  async function watchAlone(
    first: Payment,
    lease: PaymentLease,
    { notify, onPoll, signal }: Watching,
  ): Promise<boolean> {
    // Another process may have ended it just before the claim.
    let payment = await findOrFail(first);
    let history = historyOf(payment, clock);
    let isReported = false;
    try {
      while (payment.state === 'open') {
        const next = nextPoll(history, interval);
        if (next === undefined) {
          notify(await settle.giveUp(payment));
          return true;
        }
        if (!(await sleepUntil(next, lease, signal))) return false;
        const started = clock.monotonic();
        await sessions.refresh();
        const result = await poll(payment, signal);
        // If this process was suspended and lost its claim, the process that has it now stores the result.
        if (!(await lease.renew())) return false;
        const seen = seenBy(result);
        if (seen === undefined) {
          notify(await settle.conclude(payment, result));
          return true;
        }
        history = historyAfter(history, started, seen);
        if (!signal.aborted) onPoll(result.kind === 'failed' ? result.error : undefined);
        payment = await settle.conclude(payment, result);
        if (seen === 'unlisted' && !isReported && isStuck(history)) {
          isReported = true;
          settle.reportStuck(payment);
        }
        notify(payment);
      }
      return false;
    } finally {
      // If this fails, the claim expires with its lease.
      await lease.release().catch(() => {});
    }
  }

  /** Sleeps until `at` and renews the claim. Returns false if the wait was aborted or the claim was lost. */
  async function sleepUntil(at: number, lease: PaymentLease, signal: AbortSignal) {
    for (;;) {
      if (signal.aborted || !(await lease.renew())) return false;
      const left = at - clock.monotonic();
      if (left <= 0) return true;
      await clock.sleep(Math.min(left, renewInterval), signal);
    }
  }
}
