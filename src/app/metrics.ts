import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import { singleFlight } from '../base/single-flight.js';
import type { Waits } from '../base/waits.js';
import { createRequestMetrics, type ObserveRequest } from '../http/metrics/request-metrics.js';
import type { StoredCounts } from './storage.js';
import { createStoredMetrics } from './stored-metrics.js';

/** The metrics of one server, in a registry of its own. */
export interface Metrics {
  /** Gives what counts the requests of a listener. */
  observe(listener: string): ObserveRequest;
  /** Counts an operation on the storage that failed. */
  storageFailed(): void;
  /** Counts a cashier's session that the provider has ended. */
  sessionEnded(): void;
  /** Counts a payment whose outcome the provider has changed after it ended. */
  paymentCorrected(): void;
  /** Measures these services from now on. */
  measure(services: MeasuredServices): Measurement;
}

/** A measurement under way. */
export interface Measurement {
  /** The type of the text. */
  readonly contentType: string;
  /** Everything as text, within three seconds. */
  read(): Promise<string>;
}

/** What is measured when somebody asks. */
export interface MeasuredServices {
  readonly waits: Pick<Waits, 'size'>;
  /** Counts what is stored. */
  countStored(): Promise<StoredCounts>;
  /** Throws while the storage cannot be used. */
  assertReady(): Promise<void>;
  /** The time that counts for what is stored. */
  readonly clock: Clock;
}

/** Counts of what is stored are good for so many milliseconds, and waited for as long: together less than five seconds. */
const freshFor = 2_000;
const patience = 2_500;

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const observe = createRequestMetrics(registry);
  const failures = new Counter({
    name: 'msgsite_storage_errors_total',
    help: 'Operations on the storage that failed.',
    registers,
  });
  const ended = new Counter({
    name: 'msgsite_sessions_ended_total',
    help: 'Cashier sessions that the provider has ended, as noticed by this process.',
    registers,
  });
  const corrected = new Counter({
    name: 'msgsite_payments_corrected_total',
    help: 'Payments whose outcome the provider has changed after they ended, as noticed by this process.',
    registers,
  });
  let failed = 0;
  const storageFailed = () => {
    failed += 1;
    failures.inc();
  };

  function measure(services: MeasuredServices): Measurement {
    const { assertReady, waits, clock, countStored: read } = services;
    collectDefaultMetrics({ register: registry });
    const waiting: Gauge = new Gauge({
      name: 'msgsite_waiting_requests',
      help: 'Requests of this process that are held until there is news.',
      registers,
      collect: () => waiting.set(waits.size),
    });
    const setStored = createStoredMetrics(registry, clock);
    const lastKnown = createLastKnown({ read, clock, freshFor, patience });

    /** A storage that hangs, or that nobody uses, fails no operation: then that it is not ready counts as one. */
    async function countWhetherReady(): Promise<void> {
      const before = failed;
      await assertReady().catch((error: unknown) => {
        const isAway = error instanceof AppError && error.code === 'storage_unavailable';
        if (isAway && failed === before) storageFailed();
      });
    }

    // Known from the start on, also where the storage is away when somebody asks for the first time.
    void lastKnown();
    return {
      contentType: registry.contentType,
      async read() {
        const [stored] = await Promise.all([lastKnown(), countWhetherReady()]);
        if (stored) setStored(stored);
        return registry.metrics();
      },
    };
  }

  return {
    observe,
    storageFailed,
    sessionEnded: () => ended.inc(),
    paymentCorrected: () => corrected.inc(),
    measure,
  };
}

interface LastKnownOptions<Value> {
  /** Called by one at a time. */
  read(): Promise<Value>;
  readonly clock: Clock;
  /** How long a value is good, in milliseconds. */
  readonly freshFor: number;
  /** How long whoever asks waits for a newer one, in milliseconds. */
  readonly patience: number;
}

/** Returns a function that gives the value read last, and reads it again once it is too old; undefined before the first success. */
function createLastKnown<Value>(
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
