import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import { singleFlight } from '../base/single-flight.js';
import type { Waits } from '../base/waits.js';
import { createRequestMetrics } from '../http/metrics/request-metrics.js';
import type { StoredCounts } from './storage.js';

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

export type Metrics = ReturnType<typeof createMetrics>;

/** The metrics of one server, in a registry of its own. */
export function createMetrics() {
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

  /** Measures these services from now on. */
  function measure(services: MeasuredServices) {
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
      /** The type of the text. */
      contentType: registry.contentType,
      /** Everything as text, within three seconds. */
      async read(): Promise<string> {
        const [stored] = await Promise.all([lastKnown(), countWhetherReady()]);
        if (stored) setStored(stored);
        return registry.metrics();
      },
    };
  }

  return {
    /** Returns what counts the requests of a listener. */
    observe,
    /** Counts an operation on the storage that failed. */
    storageFailed,
    /** Counts a cashier's session that the provider has ended. */
    sessionEnded: () => ended.inc(),
    /** Counts a payment whose outcome the provider has changed after it ended. */
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

/** Gives what tells what is stored, by all processes; before the first time there is nothing of it. */
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
  const registers = [registry];
  return {
    payments: new Gauge({
      name: 'msgsite_payments',
      help: 'Payments that are open, in doubt (the answer to the call was not clear) or given up on without an outcome.',
      labelNames: ['state'],
      registers,
    }),
    oldestOpen: new Gauge({
      name: 'msgsite_payment_oldest_open_seconds',
      help: 'Age of the oldest open payment; 0 where none is open.',
      registers,
    }),
    deliveries: new Gauge({
      name: 'msgsite_deliveries',
      help: 'Deliveries of webhooks that are stored.',
      labelNames: ['state'],
      registers,
    }),
    oldestPending: new Gauge({
      name: 'msgsite_delivery_oldest_pending_seconds',
      help: 'Age of the oldest delivery that waits; 0 where none does.',
      registers,
    }),
    daysBehind: new Gauge({
      name: 'msgsite_reconciliation_days_behind',
      help: 'Days still to be compared with the provider, for the organization with the most such days.',
      registers,
    }),
    clockJumps: new Counter({
      name: 'msgsite_clock_jumps_total',
      help: 'Number of times that the wall clock has jumped.',
      registers,
    }),
    sessions: new Gauge({
      name: 'msgsite_sessions',
      help: 'Sessions of cashiers that are kept.',
      registers,
    }),
  };
}
