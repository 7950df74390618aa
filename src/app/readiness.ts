import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';

export interface ReadinessOptions {
  /** Reads and writes the storage; rejects where that fails. Called by one at a time. */
  probe(): Promise<void>;
  readonly clock: Clock;
  /** Aborts when the service is asked to stop. */
  readonly shutdown: AbortSignal;
}

/** How long an answer of the storage is taken for what is so now, in milliseconds. */
const freshFor = 1_000;

/** How long the storage has for its answer, in milliseconds: whoever asks waits no longer than two seconds. */
const patience = 1_500;

type Outcome = { readonly isReady: true } | { readonly isReady: false; readonly cause: unknown };

/**
 * Gives what throws `storage_unavailable` while the storage cannot be used, and `shutting_down` once the service stops.
 * However many ask, the storage is asked by one, once a second at most; one that hangs keeps nobody waiting twice.
 */
export function createReadiness({ probe, clock, shutdown }: ReadinessOptions): () => Promise<void> {
  let last: { readonly at: number; readonly outcome: Outcome } | undefined;
  let running: { readonly since: number; readonly outcome: Promise<Outcome> } | undefined;

  async function ask(): Promise<Outcome> {
    const outcome = await probe().then(
      (): Outcome => ({ isReady: true }),
      (cause: unknown): Outcome => ({ isReady: false, cause }),
    );
    last = { at: clock.monotonic(), outcome };
    running = undefined;
    return outcome;
  }

  async function outcomeNow(): Promise<Outcome> {
    if (last && clock.monotonic() - last.at < freshFor) return last.outcome;
    running ??= { since: clock.monotonic(), outcome: ask() };
    const left = running.since + patience - clock.monotonic();
    const waiting = new AbortController();
    const late = clock.sleep(Math.max(0, left), waiting.signal).then(() => hanging);
    const outcome = await Promise.race([running.outcome, late]);
    waiting.abort();
    return outcome;
  }

  return async function assertReady() {
    if (shutdown.aborted) throw new AppError('shutting_down', 'The service is stopping.');
    const outcome = await outcomeNow();
    if (!outcome.isReady) throw unavailable(outcome.cause);
  };
}

const hanging: Outcome = {
  isReady: false,
  cause: new Error(`The storage did not answer within ${patience} ms.`),
};

/** Whatever stands in the way, whoever asks whether there is somebody to work is told the one thing. */
function unavailable(cause: unknown): AppError {
  if (cause instanceof AppError && cause.code === 'storage_unavailable') return cause;
  return new AppError('storage_unavailable', 'The storage cannot be used now. Try again later.', {
    headers: { 'Retry-After': '5' },
    cause,
  });
}
