import type { Clock } from '../base/clock.js';
import { type Alarm, createAlarm } from '../base/every.js';
import { type Payment, paymentKey } from './payment.js';
import { paymentView } from './payment-view.js';
import type { PaymentStore } from './store.js';

export interface WaitForChange {
  /** Milliseconds, at most. */
  readonly wait: number;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
}

export interface PaymentChanges {
  /**
   * Resolves to the payment as it is stored once it shows something else than this, when the time is up, and when the
   * signal aborts.
   */
  next(payment: Payment, options: WaitForChange): Promise<Payment>;
}

/**
 * How often what other processes have changed is looked for, in milliseconds, and how much later for each wait
 * there is: 10,000 of them read 500 records a second. What this process changes is noticed at once.
 */
const checkEvery = 1_000;
const laterForEach = 2;

/** The store, and what waits for changes in it. */
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

  const changes: PaymentChanges = {
    async next(payment, { wait, signal }) {
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

/** What a client sees of it: what is only noted for ourselves is no change. */
function shown(payment: Payment): string {
  return JSON.stringify(paymentView(payment));
}
