import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import { singleFlight } from '../base/single-flight.js';
import type { Waits } from '../base/waits.js';
import { createRequestMetrics } from '../http/metrics/request-metrics.js';
import type { StoredCounts } from './storage.js';

/** The services whose state the metrics report. */
export interface MeasuredServices {
  readonly waits: Pick<Waits, 'size'>;
  /** Counts what is stored. */
  countStored(): Promise<StoredCounts>;
  /** Throws while the storage cannot be used. */
  assertReady(): Promise<void>;
  /** The clock for stored times. */
  readonly clock: Clock;
}

/** Milliseconds for which counts of stored records are reported again. With `patience`, less than five seconds. */
const freshFor = 2_000;
/** Milliseconds that a scrape waits for new counts. */
const patience = 2_500;

export type Metrics = ReturnType<typeof createMetrics>;

/** Creates the metrics of one server, in a separate registry. */
export function createMetrics() {
  const registry = new Registry();
  const { counter, gauge } = metricsIn(registry);
  const observe = createRequestMetrics(registry);
  const failures = counter('storage_errors_total', 'Failed operations on the storage.');
  const ended = counter(
    'sessions_ended_total',
    'Cashier sessions that the provider has ended, as noticed by this process.',
  );
  const corrected = counter(
    'payments_corrected_total',
    'Payments whose outcome the provider changed after they had ended, as noticed by this process.',
  );
  let failed = 0;
  const storageFailed = () => {
    failed += 1;
    failures.inc();
  };

  /** Starts to measure these services. */
  function measure(services: MeasuredServices) {
    const { assertReady, waits, clock, countStored: read } = services;
    collectDefaultMetrics({ register: registry });
    const waiting = gauge(
      'waiting_requests',
      'Requests of this process that are waiting for news.',
    );
    const setStored = createStoredMetrics(registry, clock);
    const lastKnown = createLastKnown({ read, clock, freshFor, patience });

    /** Counts an unavailable storage as a failed operation if no other operation has noticed it. */
    async function countWhetherReady(): Promise<void> {
      const before = failed;
      await assertReady().catch((error: unknown) => {
        const isAway = error instanceof AppError && error.code === 'storage_unavailable';
        if (isAway && failed === before) storageFailed();
      });
    }

    // Counts at the start, so that there are counts even if the storage is unavailable at the first scrape.
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
    /** Counts a failed operation on the storage. */
    storageFailed,
    /** Counts a cashier's session that the provider has ended. */
    sessionEnded: () => ended.inc(),
    /** Counts a payment whose outcome the provider has changed after it ended. */
    paymentCorrected: () => corrected.inc(),
    measure,
  };
}

interface LastKnownOptions<Value> {
  /** Never called while it is running. */
  read(): Promise<Value>;
  readonly clock: Clock;
  /** Milliseconds for which a value is returned again. */
  readonly freshFor: number;
  /** Milliseconds that a caller waits for a newer value. */
  readonly patience: number;
}

/** Returns a function that returns the last value, and reads a new one if it is too old; undefined before the first one. */
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

/** Returns a function that sets the metrics of stored records. They do not exist before its first call. */
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
      'Payments that are open, in doubt (the call had no clear answer) or unknown (given up without an outcome).',
      ['state'],
    ),
    oldestOpen: gauge(
      'payment_oldest_open_seconds',
      'Age of the oldest open payment; 0 if none is open.',
    ),
    deliveries: gauge('deliveries', 'Stored webhook deliveries.', ['state']),
    oldestPending: gauge(
      'delivery_oldest_pending_seconds',
      'Age of the oldest pending delivery; 0 if none is pending.',
    ),
    daysBehind: gauge(
      'reconciliation_days_behind',
      'Days still to be compared with the provider, for the organization with the most such days.',
    ),
    clockJumps: counter('clock_jumps_total', 'Number of times that the wall clock has jumped.'),
    sessions: gauge('sessions', 'Stored cashier sessions.'),
  };
}

/** Returns functions that add metrics to a registry; their names start with `msgsite_`. */
function metricsIn(registry: Registry) {
  const registers = [registry];
  return {
    counter: (name: string, help: string) =>
      new Counter({ name: `msgsite_${name}`, help, registers }),
    gauge: (name: string, help: string, labelNames: string[] = []) =>
      new Gauge({ name: `msgsite_${name}`, help, labelNames, registers }),
  };
}
