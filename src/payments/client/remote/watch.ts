import type { Clock } from '../../../base/clock.js';
import { AppError, type ErrorCode } from '../../../base/errors.js';
import type { PaymentRow, Waited, WaitOptions } from '../gateway-client.js';
import { ConnectionFailure } from './connection-failure.js';

export interface RemoteWatch {
  readonly clock: Clock;
  /** The payment as soon as it has changed, after `wait` seconds at the latest. */
  read(wait: number, signal: AbortSignal): Promise<PaymentRow>;
  /** Called after the session has ended. */
  renew(): Promise<void>;
}

/** Seconds that a remote gateway is asked to hold a request for a payment; it accepts no longer ones. */
const longestWait = 25;
/** Milliseconds after a failure before a gateway is asked again; it is asked at least every 5 s. */
const pause = 2_000;

/**
 * Follows a payment at a gateway until it is no longer open or the signal aborts. A gateway that is away is asked again
 * until it is back: what it answers proves nothing before.
 */
export async function watchRemote(
  { clock, read, renew }: RemoteWatch,
  { signal, onChange, onPoll }: WaitOptions,
): Promise<Waited> {
  let payment: PaymentRow | undefined;
  // Without a wait at first, and after a failure: whether it is back is seen at once.
  let wait = 0;
  while (!signal.aborted && (payment === undefined || payment.state === 'open')) {
    try {
      const seen = await read(wait, signal);
      onPoll?.(undefined);
      if (JSON.stringify(seen) !== JSON.stringify(payment)) onChange?.(seen);
      payment = seen;
      wait = longestWait;
    } catch (error) {
      if (signal.aborted) break;
      if (!(error instanceof AppError) || !passes(error)) throw error;
      onPoll?.(error);
      wait = 0;
      await clock.sleep(pause, signal);
      if (error.code === 'not_signed_in') await renew();
    }
  }
  if (!payment) throw new AppError('interrupted', 'Interrupted.');
  return { payment, endedHere: false };
}

/** Failures that say nothing of the payment and may be over the next time. */
const passing: ReadonlySet<ErrorCode> = new Set([
  'not_signed_in',
  'rate_limited',
  'request_timeout',
]);

function passes(error: AppError): boolean {
  return error instanceof ConnectionFailure || error.status >= 500 || passing.has(error.code);
}
