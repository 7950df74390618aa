import type { PaymentRow } from '#validators/gateway';
import { AppError, exitCodes } from '../../src/base/errors.js';
import { every } from '../../src/base/every.js';
import type { Waited } from '../../src/payments/watching/wait-for-outcome.js';
import type { StatusLine } from '../../src/terminal/payment/payment-card.js';
import {
  attention,
  cancelling,
  describeStatus,
  noAnswer,
  noGateway,
  noStorage,
  overtime,
  signInAgain,
} from '../../src/terminal/payment/payment-words.js';
import { withSpinner } from '../../src/terminal/spinner.js';
import { nextCommand } from '../next-command.js';
import type { PayContext } from './pay-context.js';
import {
  cardOf,
  type PaymentExtras,
  resultText,
  resultWordsOf,
  waitingExitCode,
} from './payment-view.js';
import { openPresenter } from './presenter.js';

export interface FollowOptions extends PaymentExtras {
  /** Time after which waiting stops, in milliseconds; undefined waits for the outcome. */
  readonly timeout: number | undefined;
  /** Cancels the payment at the provider; undefined if that is impossible. */
  readonly cancel: (() => Promise<unknown>) | undefined;
}

/** Interval between two updates of the remaining time, in milliseconds. */
const tick = 1000;

/**
 * Waits for a payment and shows its status, live on a terminal and as lines elsewhere. Prints the result and returns
 * the exit code. Ctrl+C and the timeout stop the wait but do not cancel the payment.
 */
export async function followPayment(
  pay: PayContext,
  payment: PaymentRow,
  options: FollowOptions,
): Promise<number> {
  const { clock, signal } = pay.context;
  const ending = new AbortController();
  const stop = AbortSignal.any([signal, ending.signal]);
  const view = await openView(pay, payment, { ...options, leave: pay.context.interrupt });
  if (options.timeout !== undefined) {
    void clock.sleep(options.timeout, stop).then(() => ending.abort());
  }
  // Removes the code immediately, even if the wait takes a while to stop, so that nobody scans an old code.
  const leave = () => void view.leave();
  signal.addEventListener('abort', leave, { once: true });
  const ticking = every(tick, view.draw, { clock, signal: stop });
  try {
    const { changed: onChange, polled: onPoll } = view;
    const waiting = { signal: stop, onChange, onPoll };
    const waited = await pay.context.unfinished.during(
      () => stillOpen(payment),
      async () => (await pay.records()).waitForOutcome(idOf(payment), waiting),
    );
    ending.abort();
    await ticking;
    if (signal.aborted) {
      await view.leave();
      return waited.payment.state === 'open'
        ? interrupted(pay, waited.payment)
        : await conclude(pay, waited, { ...options, isShown: false });
    }
    await view.finish(waited.payment);
    return await conclude(pay, waited, { ...options, isShown: view.showsResult });
  } catch (error) {
    ending.abort();
    await view.leave();
    throw error;
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

interface ViewOptions extends FollowOptions {
  /** Called when the cashier presses Ctrl+C. */
  readonly leave: () => void;
}

/** Opens the view of an open payment. */
async function openView(pay: PayContext, first: PaymentRow, options: ViewOptions) {
  const { clock } = pay.context;
  const { cancel } = options;
  let payment = first;
  let notice: StatusLine | undefined;
  const keys = [
    ...(cancel ? ['c cancels the invoice'] : []),
    'Ctrl+C stops waiting; the payment stays open',
  ];
  const presenter = await openPresenter(pay, { card: cardOf(first, options), keys, onKey });

  function draw(): void {
    if (payment.state !== 'open') return;
    const now = clock.now();
    const hasExpired = payment.expiresAt !== null && now >= Date.parse(payment.expiresAt);
    presenter.show(notice ?? (hasExpired ? overtime : describeStatus(payment)), now);
  }

  function say(line: StatusLine | undefined): void {
    notice = line;
    draw();
  }

  function onKey(key: string): void {
    if (key === 'ctrl+c') options.leave();
    if (key !== 'c' || !cancel || notice === cancelling) return;
    say(cancelling);
    // The next poll shows the result. If the provider declines, the wait continues.
    cancel().catch((error: unknown) => say(refusalLine(error)));
  }

  return {
    draw,
    changed(seen: PaymentRow) {
      payment = seen;
      say(notice === cancelling ? notice : undefined);
    },
    polled(failure: AppError | undefined) {
      if (failure) say(troubleOf(pay, failure));
      else if (notice !== cancelling) say(undefined);
    },
    finish(ended: PaymentRow) {
      const at = ended.endedAt === null ? clock.now() : Date.parse(ended.endedAt);
      return presenter.finish(resultWordsOf(ended, options.returned), at, cardOf(ended, options));
    },
    leave: presenter.leave,
    showsResult: presenter.showsResult,
  };
}

function troubleOf({ input }: PayContext, failure: AppError): StatusLine {
  if (failure.code === 'storage_unavailable') return noStorage;
  if (failure.code === 'payments_unavailable') return noGateway;
  const isSessionEnd = failure.code === 'not_signed_in' || failure.code === 'session_ended';
  return isSessionEnd ? signInAgain(nextCommand(input, 'pay login')) : noAnswer;
}

function refusalLine(error: unknown): StatusLine {
  return attention(
    error instanceof AppError ? error.message : 'The invoice could not be cancelled.',
  );
}

/** Sends the webhooks if no other process does, and prints the result if the screen does not show it. */
async function conclude(
  pay: PayContext,
  waited: Waited<PaymentRow>,
  { isShown, ...extras }: PaymentExtras & { readonly isShown: boolean },
): Promise<number> {
  const { output } = pay.context;
  const { payment, endedHere } = waited;
  const webhooks = endedHere ? await sendWebhooks(pay, payment) : undefined;
  const { returned } = extras;
  const value = {
    ...payment,
    ...(returned ? { returned } : {}),
    ...(webhooks ? { webhooks } : {}),
  };
  output.result(value, () => (isShown ? '' : resultText(payment, extras)));
  if (payment.state === 'open') output.note(howToContinue(pay, payment));
  return waitingExitCode(payment);
}

function interrupted(pay: PayContext, payment: PaymentRow): number {
  const { output } = pay.context;
  output.note(openText(payment));
  output.note(howToContinue(pay, payment));
  output.result(payment, () => '');
  return exitCodes.interrupted;
}

/** Returns the error for an interrupted wait that cannot stop because the storage does not respond. */
function stillOpen(payment: PaymentRow): AppError {
  const hint = `Resume waiting: msgsite pay wait ${payment.paymentId}`;
  return new AppError('interrupted', openText(payment), { hint });
}

function openText({ paymentId }: PaymentRow): string {
  return `Payment ${paymentId} is still open. The customer can still pay it.`;
}

function idOf({ paymentId: id, type, organizationId }: PaymentRow) {
  return { id, type, organizationId };
}

function howToContinue({ input }: PayContext, { type, paymentId: id }: PaymentRow): string {
  const wait = `Resume waiting: ${nextCommand(input, 'pay wait', [id])}`;
  if (type !== 'invoice') return wait;
  return `${wait}\nCancel it:     ${nextCommand(input, 'pay invoice cancel', [id])}`;
}

/** The results of the first attempts to deliver a payment's webhooks. */
interface SentWebhooks {
  readonly delivered: number;
  readonly failed: number;
}

/**
 * Attempts to deliver the webhooks of a payment that ended during this command. The next `serve` retries those that
 * fail.
 */
export async function sendWebhooks(pay: PayContext, payment: PaymentRow): Promise<SentWebhooks> {
  const { context, gateway } = pay;
  const reports = await withSpinner(context, 'Sending webhooks', () =>
    gateway.sendWebhooks(payment, context.signal),
  );
  const failed = reports.filter(({ error }) => error !== null);
  for (const { url, error } of failed) {
    context.output.warn(`Webhook to ${url}: ${error}.`);
  }
  if (failed.length > 0) context.output.note('The next msgsite serve will retry.');
  return { delivered: reports.length - failed.length, failed: failed.length };
}
