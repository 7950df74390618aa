import { AppError, exitCodes } from '../../src/base/errors.js';
import { every } from '../../src/base/every.js';
import type { Payment } from '../../src/payments/payment.js';
import { ProviderError } from '../../src/payments/providers/provider.js';
import type { StatusLine } from '../../src/terminal/payment/payment-card.js';
import {
  attention,
  cancelling,
  describeStatus,
  noAnswer,
  noStorage,
  overtime,
  signInAgain,
} from '../../src/terminal/payment/payment-words.js';
import { nextCommand } from '../next-command.js';
import {
  cardOf,
  type PaymentExtras,
  paymentJson,
  resultText,
  resultWordsOf,
  waitingExitCode,
} from './payment-view.js';
import { openPresenter, type Presenter } from './presenter.js';
import { type SentWebhooks, sendWebhooks } from './send-webhooks.js';
import type { Till } from './till.js';

export interface FollowOptions extends PaymentExtras {
  /** Milliseconds after which the waiting ends; for as long as it takes where absent. */
  readonly timeout?: number | undefined;
  /** Cancels the payment at the provider; absent where that cannot be done. */
  readonly cancel?: (() => Promise<unknown>) | undefined;
}

/** How often the time left is drawn anew, in milliseconds. */
const tick = 1000;

/**
 * Waits for a payment before the cashier's eyes: live on a terminal, in lines elsewhere. Prints the
 * result and gives the exit code. Ctrl+C and the time-out end the waiting, never the payment.
 */
export async function followPayment(
  till: Till,
  payment: Payment,
  options: FollowOptions = {},
): Promise<number> {
  const { clock, signal } = till.context;
  const left = new AbortController();
  const timedOut = new AbortController();
  const ended = new AbortController();
  const stop = AbortSignal.any([signal, left.signal, timedOut.signal, ended.signal]);
  const view = await openView(till, payment, options, () => left.abort());
  if (options.timeout !== undefined) {
    void clock.sleep(options.timeout, ended.signal).then(() => timedOut.abort());
  }
  const ticking = view.tickUntil(stop);
  try {
    const waited = await till.payments.waitForOutcome(payment.id, {
      type: payment.type,
      signal: stop,
      onChange: view.changed,
      onPoll: view.looked,
    });
    ended.abort();
    await ticking;
    const isInterrupted = signal.aborted || left.signal.aborted;
    if (waited.payment.state === 'open' && isInterrupted) {
      await view.presenter.leave();
      return interrupted(till, waited.payment);
    }
    return await conclude(till, view.presenter, { ...waited, options });
  } catch (error) {
    ended.abort();
    await view.presenter.leave();
    throw error;
  }
}

/** What is shown while the payment is open, and why. */
async function openView(
  till: Till,
  first: Payment,
  options: FollowOptions,
  onInterrupt: () => void,
) {
  const { context, zone } = till;
  const { cancel } = options;
  let payment = first;
  let notice: StatusLine | undefined;
  const keys = [
    ...(cancel ? ['c cancels the invoice'] : []),
    'Ctrl+C stops waiting, the payment stays open',
  ];
  const presenter = await openPresenter({
    context,
    card: cardOf(first, options),
    zone,
    keys,
    onKey,
  });

  function draw(): void {
    if (payment.state !== 'open') return;
    const now = context.clock.now();
    const isOver = payment.expiresAt !== null && now >= payment.expiresAt;
    const status = notice ?? (isOver ? overtime : describeStatus(payment));
    presenter.show(status, now);
  }

  function say(line: StatusLine | undefined): void {
    notice = line;
    draw();
  }

  function onKey(key: string): void {
    if (key === 'ctrl+c') onInterrupt();
    if (key !== 'c' || !cancel || notice === cancelling) return;
    say(cancelling);
    // What became of it is learnt by the next look; a refusal is said, and the waiting goes on.
    cancel().catch((error: unknown) => say(refusalLine(error)));
  }

  return {
    presenter,
    changed(seen: Payment) {
      payment = seen;
      say(notice === cancelling ? notice : undefined);
    },
    looked(failure: AppError | undefined) {
      if (failure) say(troubleOf(till, failure));
      else if (notice !== cancelling) say(undefined);
    },
    tickUntil: (signal: AbortSignal) => every(tick, draw, { clock: context.clock, signal }),
  };
}

function troubleOf({ input }: Till, failure: AppError): StatusLine {
  if (failure.code === 'storage_unavailable') return noStorage;
  return isSessionEnd(failure) ? signInAgain(nextCommand(input, 'pay login')) : noAnswer;
}

function isSessionEnd(error: unknown): boolean {
  return error instanceof ProviderError && error.kind === 'session_ended';
}

function refusalLine(error: unknown): StatusLine {
  return attention(
    error instanceof AppError ? error.message : 'The invoice could not be cancelled.',
  );
}

interface Conclusion {
  readonly payment: Payment;
  readonly endedHere: boolean;
  readonly options: FollowOptions;
}

async function conclude(
  till: Till,
  presenter: Presenter,
  { payment, endedHere, options }: Conclusion,
): Promise<number> {
  const { clock, output } = till.context;
  const at = payment.endedAt ?? clock.now();
  await presenter.finish(resultWordsOf(payment), at, cardOf(payment, options));
  const webhooks = endedHere ? await sendWebhooks(till, payment) : undefined;
  printResult(till, payment, { webhooks, isShown: presenter.showsResult });
  if (payment.state === 'open') output.note(howToGoOn(till, payment));
  return waitingExitCode(payment);
}

function printResult(
  { context: { output } }: Till,
  payment: Payment,
  { webhooks, isShown }: { webhooks: SentWebhooks | undefined; isShown: boolean },
): void {
  const value = { ...paymentJson(payment), ...(webhooks ? { webhooks } : {}) };
  output.result(value, () => (isShown ? '' : resultText(payment)));
}

function interrupted(till: Till, payment: Payment): number {
  const { output } = till.context;
  output.note(`Payment ${payment.id} is still open: the client can still pay it.`);
  output.note(howToGoOn(till, payment));
  output.result(paymentJson(payment), () => '');
  return exitCodes.interrupted;
}

function howToGoOn({ input }: Till, { type, id }: Payment): string {
  const wait = `Go on waiting: ${nextCommand(input, 'pay wait', [id])}`;
  if (type !== 'invoice') return wait;
  return `${wait}\nCancel it:     ${nextCommand(input, 'pay invoice cancel', [id])}`;
}
