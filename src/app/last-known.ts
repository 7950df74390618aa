import type { Clock } from '../base/clock.js';
import { singleFlight } from '../base/single-flight.js';

export interface LastKnownOptions<Value> {
  /** Called by one at a time. */
  read(): Promise<Value>;
  readonly clock: Clock;
  /** How long a value is good, in milliseconds. */
  readonly freshFor: number;
  /** How long whoever asks waits for a newer one, in milliseconds. */
  readonly patience: number;
}

/** Returns a function that gives the value read last, and reads it again once it is too old; undefined before the first success. */
export function createLastKnown<Value>(
  options: LastKnownOptions<Value>,
): () => Promise<Value | undefined> {
  const { read, clock, freshFor, patience } = options;
  let known: { readonly value: Value; readonly at: number } | undefined;

  const refresh = singleFlight(async () => {
    try {
      const at = clock.monotonic();
      known = { value: await read(), at };
    } catch {
      // `read` counts its failures; the known value stays.
    }
  });

  return async function lastKnown() {
    if (known && clock.monotonic() - known.at < freshFor) return known.value;
    const waiting = new AbortController();
    await Promise.race([refresh(), clock.sleep(patience, waiting.signal)]);
    waiting.abort();
    return known?.value;
  };
}
