import { Counter, Gauge, type Registry } from 'prom-client';
import type { Clock } from '../base/clock.js';
import type { StoredCounts } from './storage.js';

/** Gives what tells what is stored, by all processes; before the first time there is nothing of it. */
export function createStoredMetrics(
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
