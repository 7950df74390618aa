import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import { singleFlight } from '../base/single-flight.js';
import type { Waits } from '../base/waits.js';
import { createRequestMetrics } from '../http/metrics/request-metrics.js';
import type { StoredCounts } from './storage.js';

/** The services that the metrics measure. */
export interface MeasuredServices {
  readonly waits: Pick<Waits, 'size'>;
  /** Returns the counts of stored records. */
  countStored(): Promise<StoredCounts>;
  /** Throws while the storage cannot be used. */
  assertReady(): Promise<void>;
  /** The clock for stored times. */
  readonly clock: Clock;
}

/**
 * Time for which counts of stored records are reused, in milliseconds. With `patience`, it is less than five seconds.
 */
const freshFor = 2_000;
/** Time for which a scrape waits for new counts, in milliseconds. */
const patience = 2_500;

export type Metrics = ReturnType<typeof createMetrics>;

/** Creates the metrics of one server, in a separate registry. */
export function createMetrics() {
  const registry = new Registry();
  const { counter, gauge } = metricsIn(registry);
  const observe = createRequestMetrics(registry);
  const failures = counter('storage_errors_total', 'Number of failed storage operations.');
  const ended = counter(
    'sessions_ended_total',
    'Number of cashier sessions that the provider has ended, as detected by this process.',
  );
  const corrected = counter(
    'payments_corrected_total',
    'Number of ended payments for which the provider later changed the outcome, as detected by this process.',
  );
  let failed = 0;
  const storageFailed = () => {
    failed += 1;
    failures.inc();
  };

  /** Starts measuring these services. */
  function measure(services: MeasuredServices) {
    const { assertReady, waits, clock, countStored: read } = services;
    collectDefaultMetrics({ register: registry });
    const waiting = gauge(
      'waiting_requests',
      'Number of requests in this process that are waiting for news.',
    );
    const setStored = createStoredMetrics(registry, clock);
    const lastKnown = createLastKnown({ read, clock, freshFor, patience });

    /** Counts an unavailable storage as a failed operation unless another operation has already failed. */
    async function countWhetherReady(): Promise<void> {
      const before = failed;
      await assertReady().catch((error: unknown) => {
        const isAway = error instanceof AppError && error.code === 'storage_unavailable';
        if (isAway && failed === before) storageFailed();
      });
    }

    // Reads counts at startup, so that some are known even if the storage is unavailable at the first scrape.
    void lastKnown();
    return {
      /** The Content-Type of the text. */
      contentType: registry.contentType,
      /** Returns all metrics as text, within three seconds. */
      async read(): Promise<string> {
        const [stored] = await Promise.all([lastKnown(), countWhetherReady()]);
        if (stored) setStored(stored);
        waiting.set(waits.size);
        return registry.metrics();
      },
    };
  }

  return {
    /** Returns a function that counts the requests of a listener. */
    observe,
    /** Counts a failed storage operation. */
    storageFailed,
    /** Counts a cashier session that the provider has ended. */
    sessionEnded: () => ended.inc(),
    /** Counts an ended payment for which the provider has changed the outcome. */
    paymentCorrected: () => corrected.inc(),
    measure,
  };
}

interface LastKnownOptions<Value> {
  /** Calls do not overlap. */
  read(): Promise<Value>;
  readonly clock: Clock;
  /** Time for which a value is reused, in milliseconds. */
  readonly freshFor: number;
  /** Time for which a caller waits for a newer value, in milliseconds. */
  readonly patience: number;
}

/**
 * Returns a function that returns the last value and first reads a new one if that value is too old. It returns
 * undefined until a value has been read.
 */
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
      // `read` counts its failures. The last value is kept.
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

/** Returns a function that sets the metrics of stored records. Its first call creates them. */
function createStoredMetrics(
  registry: Registry,
  clock: Pick<Clock, 'now'>,
): (counts: StoredCounts) => void {
  let gauges: ReturnType<typeof addGauges> | undefined;
  const ageOf = (time: number | undefined) =>
    time === undefined ? 0 : Math.max(0, clock.now() - time) / 1000;
  return function setStored({ payments, deliveries, facts }) {
    gauges ??= addGauges(registry);
    gauges.payments.set({ state: 'open' }, payments.open);
    gauges.payments.set({ state: 'in_doubt' }, payments.inDoubt);
    gauges.payments.set({ state: 'unknown' }, payments.unknown);
    gauges.oldestOpen.set(ageOf(payments.oldestOpen));
    for (const [state, count] of Object.entries(deliveries.states)) {
      gauges.deliveries.set({ state }, count);
    }
    gauges.oldestPending.set(ageOf(deliveries.oldestPending));
    gauges.sessions.set(payments.sessions);
    gauges.daysBehind.set(facts.daysBehind);
    // Stored counts cover all processes and continue after restarts.
    gauges.clockJumps.reset();
    gauges.clockJumps.inc(facts.clockJumps);
  };
}

function addGauges(registry: Registry) {
  const { counter, gauge } = metricsIn(registry);
  return {
    payments: gauge(
      'payments',
      'Number of payments that are open, in doubt (the response to the call was unclear) or unknown (polling stopped without an outcome).',
      ['state'],
    ),
    oldestOpen: gauge(
      'payment_oldest_open_seconds',
      'Age of the oldest open payment, in seconds; 0 if none is open.',
    ),
    deliveries: gauge('deliveries', 'Number of stored webhook deliveries.', ['state']),
    oldestPending: gauge(
      'delivery_oldest_pending_seconds',
      'Age of the oldest pending delivery, in seconds; 0 if none is pending.',
    ),
    daysBehind: gauge(
      'reconciliation_days_behind',
      'Number of days that have not been compared with the provider, for the organization with the most such days.',
    ),
    clockJumps: counter('clock_jumps_total', 'Number of times that the wall clock has jumped.'),
    sessions: gauge('sessions', 'Number of stored cashier sessions.'),
  };
}

/** Returns functions that add metrics with the name prefix `msgsite_` to a registry. */
function metricsIn(registry: Registry) {
  const registers = [registry];
  return {
    counter: (name: string, help: string) =>
      new Counter({ name: `msgsite_${name}`, help, registers }),
    gauge: (name: string, help: string, labelNames: string[] = []) =>
      new Gauge({ name: `msgsite_${name}`, help, labelNames, registers }),
  };
}
