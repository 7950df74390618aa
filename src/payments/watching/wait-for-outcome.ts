import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import { onePayment } from '../one-payment.js';
import { type Payment, paymentKey } from '../payment.js';
import type { Sessions } from '../sessions/sessions.js';
import type { PaymentLease, PaymentQuery, PaymentStore } from '../store.js';
import { type Poll, type PollResult, seenBy } from './poll.js';
import { historyAfter, historyOf, isStuck, nextPoll } from './poll-schedule.js';
import type { Settle } from './settle.js';

export interface WaitOptions<Row = Payment> {
  /** Ends the waiting, not the payment. */
  readonly signal: AbortSignal;
  /** Called with the payment at first and whenever its record has changed. */
  onChange?(payment: Row): void;
  /**
   * Called after every poll made here with why it failed (which proves nothing), if it did; also when
   * the storage is not available, which is waited for.
   */
  onPoll?(failure: AppError | undefined): void;
}

export interface Waited<Row = Payment> {
  /** As it was last seen; still `open` where the signal ended the waiting. */
  readonly payment: Row;
  /** True where the outcome was learnt and announced here, not by a running `serve`. */
  readonly endedHere: boolean;
}

/**
 * Waits until a payment is no longer open: the one that is meant; `not_found` where none is stored,
 * `conflict` where several are.
 */
export type WaitForOutcome = (query: PaymentQuery, options: WaitOptions) => Promise<Waited>;

export interface WaitForOutcomeOptions {
  readonly store: PaymentStore;
  readonly sessions: Sessions;
  readonly poll: Poll;
  readonly settle: Settle;
  readonly clock: Clock;
  /** Milliseconds from poll to poll. */
  readonly interval: number;
}

interface Watching {
  readonly notify: (payment: Payment) => void;
  readonly onPoll: (failure: AppError | undefined) => void;
  readonly signal: AbortSignal;
}

/** Thrown if a claim was lost: this process was suspended, and another one has acted on the payment since. */
function falseIfLost(error: unknown): false {
  if (error instanceof AppError && error.code === 'conflict') return false;
  throw error;
}

/** How often the record is read while somebody else watches it, in milliseconds. */
const followInterval = 300;
/** How often a claim is renewed, and given to a `serve` that has come up, in milliseconds. */
const renewInterval = 2000;

/**
 * Where a running `serve` watches the payment, follows its record; else claims the payment, polls
 * it as `serve` would, and hands it over should a `serve` come up meanwhile.
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
        // A database that is away comes back; what could not be stored is seen again by the next poll.
        onPoll(error);
        await clock.sleep(renewInterval, signal);
      }
    }
    if (endedHere) await sessions.eraseEnded().catch(() => {}); // The next serve does it otherwise.
    return { payment, endedHere };
  };

  async function findOrFail(query: PaymentQuery): Promise<Payment> {
    return onePayment(await store.find(query), query.id);
  }

  /** Polls until the payment has ended (true), or the claim or the patience has (false). */
  async function watchAlone(
    first: Payment,
    lease: PaymentLease,
    { notify, onPoll, signal }: Watching,
  ): Promise<boolean> {
    // Somebody else may have ended it just before it was claimed.
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
        // If this process was suspended and lost its claim, the process that watches now handles the result.
        if (!(await lease.renew())) return false;
        const seen = seenBy(result);
        if (seen === undefined) {
          notify(await conclude(payment, result));
          return true;
        }
        history = historyAfter(history, started, seen);
        if (!signal.aborted) onPoll(result.kind === 'failed' ? result.error : undefined);
        payment = await conclude(payment, result);
        if (seen === 'unlisted' && !isReported && isStuck(history)) {
          isReported = true;
          settle.reportStuck(payment);
        }
        notify(payment);
      }
      return false;
    } finally {
      // Where this fails, the claim ends with its lease.
      await lease.release().catch(() => {});
    }
  }

  /** Writes down what a poll has shown; gives the payment as it is then. */
  async function conclude(payment: Payment, result: PollResult): Promise<Payment> {
    switch (result.kind) {
      case 'final':
        return settle.end(payment, result);
      case 'contradicted':
        return settle.giveUpOnAmount(payment, result);
      case 'pending':
        return settle.note(payment, result);
      case 'failed':
        return payment;
    }
  }

  /** False where the waiting was ended or the claim has gone to another. */
  async function sleepUntil(at: number, lease: PaymentLease, signal: AbortSignal) {
    for (;;) {
      if (signal.aborted || !(await lease.renew())) return false;
      const left = at - clock.monotonic();
      if (left <= 0) return true;
      await clock.sleep(Math.min(left, renewInterval), signal);
    }
  }
}
