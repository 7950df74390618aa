import { addressKey } from '../base/addresses.js';
import { type Alarm, createAlarm } from '../base/alarm.js';
import type { Clock } from '../base/clock.js';
import type { Waits } from '../base/waits.js';
import { isOver, type Order } from './order.js';
import type { OrderStore } from './store.js';

export interface OrderWaitOptions {
  readonly store: Pick<OrderStore, 'find' | 'onOrder'>;
  readonly waits: Waits;
  readonly clock: Clock;
}

/** Who waits, and for how long. */
export interface Patience {
  /** Milliseconds, at most. */
  readonly wait: number;
  readonly address: string;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
}

/**
 * How often what other processes have changed is looked for, in milliseconds, and how much later for each wait there
 * is: 10,000 of them read 500 orders a second. What this process changes is noticed at once.
 */
const checkEvery = 1_000;
const laterForEach = 2;

/** Gives the function that waits for changes of orders. */
export function createOrderWaits({ store, waits, clock }: OrderWaitOptions) {
  const waiting = new Map<string, Set<Alarm>>();
  store.onOrder((id) => {
    const alarms = id === undefined ? [...waiting.values()].flatMap((each) => [...each]) : [];
    for (const alarm of [...alarms, ...(waiting.get(id ?? '') ?? [])]) alarm.ring();
  });

  function begin(id: string, alarm: Alarm): () => void {
    const alarms = waiting.get(id) ?? new Set();
    waiting.set(id, alarms.add(alarm));
    return () => {
      alarms.delete(alarm);
      if (alarms.size === 0 && waiting.get(id) === alarms) waiting.delete(id);
    };
  }

  /**
   * Resolves to the order once its status is another one than here, when the time is up, and when the signal aborts; at
   * once where it is over. `rate_limited` where too many wait.
   */
  return async function untilChanged(order: Order, patience: Patience): Promise<Order> {
    const { wait, address, signal } = patience;
    if (wait === 0 || isOver(order)) return order;
    const leave = waits.begin(`address ${addressKey(address)}`);
    const until = clock.monotonic() + wait;
    const alarm = createAlarm(clock);
    const end = begin(order.id, alarm);
    try {
      for (;;) {
        const now = (await store.find(order.id)) ?? order;
        const left = until - clock.monotonic();
        if (now.status !== order.status || left <= 0 || signal.aborted) return now;
        await alarm.sleep(Math.min(left, checkEvery + waits.size * laterForEach), signal);
      }
    } finally {
      end();
      leave();
    }
  };
}
