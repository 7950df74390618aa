import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';

export interface ReadinessOptions {
  /** Reads from and writes to the storage. Rejects if that fails. Calls do not overlap. */
  probe(): Promise<void>;
  readonly clock: Clock;
  /** Aborts when the service begins to stop. */
  readonly shutdown: AbortSignal;
}

/** Time for which an outcome is reused, in milliseconds. */
const freshFor = 1_000;

/** Time within which the storage must respond, in milliseconds. Callers then wait less than two seconds. */
const patience = 1_500;

/**
 * Returns a function that throws `storage_unavailable` while the storage cannot be used, and `shutting_down` once the
 * service stops. All callers share one probe, which runs at most once a second. While a probe hangs, only the first
 * callers wait for it.
 */
export function createReadiness({ probe, clock, shutdown }: ReadinessOptions): () => Promise<void> {
  let last: { readonly at: number; readonly failure: AppError | undefined } | undefined;
  let running:
    | { readonly since: number; readonly outcome: ReturnType<typeof runProbe> }
    | undefined;

  async function runProbe(): Promise<AppError | undefined> {
    const failure = await probe().then(() => undefined, unavailable);
    last = { at: clock.monotonic(), failure };
    running = undefined;
    return failure;
  }

  /** Returns the reason why the storage cannot be used, or undefined. */
  async function failureNow(): Promise<AppError | undefined> {
    if (last && clock.monotonic() - last.at < freshFor) return last.failure;
    running ??= { since: clock.monotonic(), outcome: runProbe() };
    const left = running.since + patience - clock.monotonic();
    const waiting = new AbortController();
    const late = clock.sleep(left, waiting.signal).then(hanging);
    const failure = await Promise.race([running.outcome, late]);
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
  return unavailable(new Error(`The storage did not respond within ${patience} ms.`));
}

/** Returns `storage_unavailable` for every cause. */
function unavailable(cause: unknown): AppError {
  if (cause instanceof AppError && cause.code === 'storage_unavailable') return cause;
  return new AppError('storage_unavailable', 'The storage cannot be used now. Try again later.', {
    headers: { 'Retry-After': '5' },
    cause,
  });
}
