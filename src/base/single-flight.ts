/** Returns a function that runs `work` at most once at a time. Calls during a run share its result. */
export function singleFlight<Result>(work: () => Promise<Result>): () => Promise<Result> {
  const join = createFlights<'work', Result>();
  return () => join('work', work);
}

/** Returns a function that runs `work` at most once at a time for each key. Calls during a run share its result. */
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

/** A value that is created on first use. */
export interface Lazy<Value> {
  /** Returns the value. After a failure, the next call retries. */
  get(): Promise<Value>;
  /** Returns the value if it has been or is being created, otherwise undefined. Use it to close an opened resource. */
  made(): Promise<Value | undefined>;
}

/** Creates a value on first use and keeps it. Calls during the creation share the value. */
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

/** Creates a value on first use and keeps it. Use it for expensive values that are rarely needed. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
