/** Returns a function that runs `work` once at a time: calls that come while it runs share its result. */
export function singleFlight<Result>(work: () => Promise<Result>): () => Promise<Result> {
  const join = createFlights<'work', Result>();
  return () => join('work', work);
}

/** Returns the same for each key: `work` runs unless work on its key is running, whose result is shared then. */
export function createFlights<Key, Result>() {
  const flights = new Map<Key, Promise<Result>>();
  return function join(key: Key, work: () => Promise<Result>): Promise<Result> {
    const running = flights.get(key);
    if (running) return running;
    const flight = work().finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  };
}

/** A value that is made on first use. */
export interface Lazy<Value> {
  /** Returns the value. After a failure, the next call tries again. */
  get(): Promise<Value>;
  /** Returns the value if it has been made or is being made; undefined otherwise. Use it to close what was opened. */
  made(): Promise<Value | undefined>;
}

/** Makes a value on first use and keeps it. Calls that come while it is being made share it. */
export function lazy<Value>(make: () => Promise<Value>): Lazy<Value> {
  let making: Promise<Value> | undefined;
  return {
    get() {
      making ??= make().catch((error: unknown) => {
        making = undefined;
        throw error;
      });
      return making;
    },
    made: async () => making?.catch(() => undefined),
  };
}

/** Makes a value on first use and keeps it; for expensive values that are rarely needed. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
