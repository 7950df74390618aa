import type { Clock } from '../base/clock.js';
import { type Alarm, createAlarm } from '../base/every.js';
import { type Payment, paymentKey } from './payment.js';
import { paymentView } from './payment-view.js';
import type { PaymentStore } from './store.js';

interface WaitForChange {
  /** Maximum wait, in milliseconds. */
  readonly wait: number;
  /** Ends the wait when it aborts. */
  readonly signal: AbortSignal;
}

/**
 * Interval between two checks for changes by other processes, in milliseconds. Each pending wait adds `laterForEach`
 * milliseconds, so 10,000 waits read about 500 records per second. Changes by this process end a wait immediately.
 */
const checkEvery = 1_000;
const laterForEach = 2;

/**
 * Returns the store and a function that waits for changes to its payments. Only changes made through the returned store
 * end a wait immediately.
 */
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
     * Resolves to the stored payment when its public view differs from that of `payment`, when the wait has expired, or
     * when the signal aborts.
     */
    async next(payment: Payment, { wait, signal }: WaitForChange): Promise<Payment> {
      const before = viewText(payment);
      const { id, type, organizationId } = payment;
      const until = clock.monotonic() + wait;
      const alarm = createAlarm(clock);
      const end = begin(paymentKey(payment), alarm);
      try {
        for (;;) {
          const [now = payment] = await store.find({ id, type, organizationId });
          const left = until - clock.monotonic();
          if (viewText(now) !== before || left <= 0 || signal.aborted) return now;
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

/** Returns the public view of a payment as text. Changes to internal fields do not affect it. */
function viewText(payment: Payment): string {
  return JSON.stringify(paymentView(payment));
}
