import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';

export interface ReadinessOptions {
  /** Reads and writes the storage; rejects if that fails. Never called while it is running. */
  probe(): Promise<void>;
  readonly clock: Clock;
  /** Aborts when the service is asked to stop. */
  readonly shutdown: AbortSignal;
}

/** Milliseconds for which an outcome counts. */
const freshFor = 1_000;

/** Milliseconds that the storage has to respond, so that callers wait less than two seconds. */
const patience = 1_500;

/**
 * Returns a function that throws `storage_unavailable` while the storage cannot be used, and `shutting_down` once the
 * service stops. All callers share one probe, at most once a second; a hanging probe delays nobody twice.
 */
export function createReadiness({ probe, clock, shutdown }: ReadinessOptions): () => Promise<void> {
  let last: { readonly at: number; readonly failure: AppError | undefined } | undefined;
  let running: { readonly since: number; readonly asking: ReturnType<typeof ask> } | undefined;

  async function ask(): Promise<AppError | undefined> {
    const failure = await probe().then(() => undefined, unavailable);
    last = { at: clock.monotonic(), failure };
    running = undefined;
    return failure;
  }

  /** Returns why the storage cannot be used, or undefined. */
  async function failureNow(): Promise<AppError | undefined> {
    if (last && clock.monotonic() - last.at < freshFor) return last.failure;
    running ??= { since: clock.monotonic(), asking: ask() };
    const left = running.since + patience - clock.monotonic();
    const waiting = new AbortController();
    const late = clock.sleep(left, waiting.signal).then(hanging);
    const failure = await Promise.race([running.asking, late]);
    waiting.abort();
    return failure;
  }

  return async function assertReady() {
    if (shutdown.aborted) throw new AppError('shutting_down', 'The service is stopping.');
    const failure = await failureNow();
    if (failure) throw failure;
  };
}

function hanging(): AppError {
  return unavailable(new Error(`The storage did not answer within ${patience} ms.`));
}

/** Returns `storage_unavailable` for every cause. */
function unavailable(cause: unknown): AppError {
  if (cause instanceof AppError && cause.code === 'storage_unavailable') return cause;
  return new AppError('storage_unavailable', 'The storage cannot be used now. Try again later.', {
    headers: { 'Retry-After': '5' },
    cause,
  });
}
