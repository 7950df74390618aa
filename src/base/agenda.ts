import TinyQueue from 'tinyqueue';
import type { Clock } from './clock.js';
import { createAlarm } from './every.js';

/** Creates a queue of items that are due at different times. */
export function createAgenda<Item>(clock: Clock) {
  const queue = new TinyQueue<{ readonly item: Item; readonly due: number }>(
    [],
    (a, b) => a.due - b.due,
  );
  const alarm = createAlarm(clock);
  const earliest = () => queue.peek()?.due ?? Number.POSITIVE_INFINITY;

  function takeDue(): Item[] {
    const now = clock.monotonic();
    const items: Item[] = [];
    for (let first = queue.peek(); first && first.due <= now; first = queue.peek()) {
      items.push(first.item);
      queue.pop();
    }
    return items;
  }

  return {
    /** Adds an item. `due` is a monotonic time in milliseconds. An item whose time has passed is handled soon. */
    add(item: Item, due: number): void {
      const isEarliest = due < earliest();
      queue.push({ item, due });
      if (isEarliest) alarm.ring();
    },
    /** Calls `onDue` with the items that are due, earliest first, until `signal` aborts. */
    async run(onDue: (items: readonly Item[]) => void, signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        onDue(takeDue());
        await alarm.sleep(earliest() - clock.monotonic(), signal);
      }
    },
  };
}
