import TinyQueue from 'tinyqueue';
import type { Clock } from './clock.js';
import { createAlarm } from './every.js';

/** Things that are due at a moment each, in memory that grows only with how many there are. */
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
    /** `due` is monotonic, in milliseconds; what is due already is handed out soon. */
    add(item: Item, due: number): void {
      const isEarliest = due < earliest();
      queue.push({ item, due });
      if (isEarliest) alarm.ring();
    },
    /** Gives `onDue` what is due when its time has come, the earliest first, until `signal` aborts. */
    async run(onDue: (items: readonly Item[]) => void, signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        onDue(takeDue());
        await alarm.sleep(earliest() - clock.monotonic(), signal);
      }
    },
  };
}
