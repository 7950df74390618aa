import type { Clock } from '../base/clock.js';
import { type Alarm, createAlarm } from '../base/every.js';
import { type Payment, paymentKey } from './payment.js';
import { paymentView } from './payment-view.js';
import type { PaymentStore } from './store.js';

interface WaitForChange {
  /** The longest wait, in milliseconds. */
  readonly wait: number;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
}

/**
 * Milliseconds between two checks for changes by other processes. Each wait under way adds `laterForEach` milliseconds:
 * 10,000 waits read about 500 records a second. Changes by this process are noticed at once.
 */
const checkEvery = 1_000;
const laterForEach = 2;

/** Returns the store with a way to wait for changes of its payments. Only changes through this store end waits at once. */
export function followChanges(store: PaymentStore, clock: Clock) {
  const waiting = new Map<string, Set<Alarm>>();
  let count = 0;

  function ring(key: string): void {
    for (const alarm of waiting.get(key) ?? []) alarm.ring();
  }

  function begin(key: string, alarm: Alarm): () => void {
    const alarms = waiting.get(key) ?? new Set();
    waiting.set(key, alarms.add(alarm));
    count += 1;
    return () => {
      count -= 1;
      alarms.delete(alarm);
      if (alarms.size === 0) waiting.delete(key);
    };
  }

  const changes = {
    /**
     * Resolves to the stored payment once a client would see a difference from `payment`, when the wait is over, or
     * when the signal aborts.
     */
    async next(payment: Payment, { wait, signal }: WaitForChange): Promise<Payment> {
      const before = shown(payment);
      const { id, type, organizationId } = payment;
      const until = clock.monotonic() + wait;
      const alarm = createAlarm(clock);
      const end = begin(paymentKey(payment), alarm);
      try {
        for (;;) {
          const [now = payment] = await store.find({ id, type, organizationId });
          const left = until - clock.monotonic();
          if (shown(now) !== before || left <= 0 || signal.aborted) return now;
          await alarm.sleep(Math.min(left, checkEvery + count * laterForEach), signal);
        }
      } finally {
        end();
      }
    },
  };

  const followed: PaymentStore = {
    ...store,
    async update(payment) {
      await store.update(payment);
      ring(paymentKey(payment));
    },
    async end(payment) {
      await store.end(payment);
      ring(paymentKey(payment));
    },
    async noteFlip(key, flip) {
      const isNew = await store.noteFlip(key, flip);
      if (isNew) ring(key);
      return isNew;
    },
  };
  return { store: followed, changes };
}

/** Returns what clients see of a payment; changes of internal fields do not count. */
function shown(payment: Payment): string {
  return JSON.stringify(paymentView(payment));
}
