import type { Clock } from '../base/clock.js';

export interface LastKnownOptions<Value> {
  /** Called by one at a time. */
  read(): Promise<Value>;
  readonly clock: Clock;
  /** How long a value is good, in milliseconds. */
  readonly freshFor: number;
  /** How long whoever asks waits for a newer one, in milliseconds. */
  readonly patience: number;
}

/** Gives what was read last, read anew when it is too old; undefined until the first reading has succeeded. */
export function createLastKnown<Value>(
  options: LastKnownOptions<Value>,
): () => Promise<Value | undefined> {
  const { read, clock, freshFor, patience } = options;
  let known: { readonly value: Value; readonly at: number } | undefined;
  let reading: Promise<void> | undefined;

  async function readAnew(): Promise<void> {
    try {
      const at = clock.monotonic();
      known = { value: await read(), at };
    } catch {
      // Who reads it counts what fails; what was known stays.
    } finally {
      reading = undefined;
    }
  }

  return async function lastKnown() {
    if (known && clock.monotonic() - known.at < freshFor) return known.value;
    reading ??= readAnew();
    const waiting = new AbortController();
    await Promise.race([reading, clock.sleep(patience, waiting.signal)]);
    waiting.abort();
    return known?.value;
  };
}
