import pLimit from 'p-limit';
import type { Clock } from '../base/clock.js';
import { createAlarm } from '../base/every.js';
import type { Waits } from '../base/waits.js';
import type { CurrentList, ListReading, Watch } from './watch.js';

export interface ListWaitOptions {
  readonly clock: Clock;
  readonly waits: Waits;
  readonly watch: Watch;
}

/** A request that waits until the user's list differs from the one that the client has. */
export interface ListWait<Answer> {
  /** Maximum time to wait, in seconds. */
  readonly wait: number;
  /** Returns a signal that ends the wait. */
  signal(): AbortSignal;
  /** Returns whether the client has the list with this tag. */
  isKnown(tag: string): boolean;
  /** Rejects if the user's token is no longer valid. Called after every change. */
  confirm(): Promise<unknown>;
  /**
   * Reads the list within `track`. Returns a response only if the list differs from the client's, so that waiting
   * requests do not keep responses in memory.
   */
  read(track: TrackReading): Promise<ListOutcome<Answer>>;
}

/** Calls `read` when a slot is free, and records what the list depends on. */
export type TrackReading = <Reading extends ListReading>(
  read: () => Promise<Reading>,
) => Promise<Reading>;

/** The result of a wait: the list's tag, and a response unless the client already has this list. */
export interface ListOutcome<Answer> {
  readonly tag: string;
  readonly answer: Answer | undefined;
}

/**
 * Maximum number of chat lists that are read concurrently for waiting requests. One change may affect thousands of
 * lists.
 */
const maxReadings = 64;

/** Holds requests until the requested lists change. */
export function createListWaits({ clock, waits, watch }: ListWaitOptions) {
  const inTurn = pLimit(maxReadings);

  return {
    /**
     * Resolves when the list differs from the client's. Resolves without a response when the time has expired or the
     * signal aborts. Rejects with `rate_limited` if too many requests are already waiting. A list that has not changed
     * since it was last read is not read again.
     */
    async untilChanged<Answer>(
      userId: number,
      request: ListWait<Answer>,
    ): Promise<ListOutcome<Answer>> {
      const deadline = clock.monotonic() + request.wait * 1000;
      const track: TrackReading = (read) => inTurn(() => watch.read(userId, read));
      let leave: (() => void) | undefined;
      try {
        for (;;) {
          const list = watch.current(userId);
          const isKnown = list !== undefined && request.isKnown(list.tag);
          const outcome = isKnown
            ? { tag: list.tag, answer: undefined }
            : await request.read(track);
          const left = deadline - clock.monotonic();
          const isOver = left <= 0 || request.signal().aborted;
          if (outcome.answer !== undefined || isOver) return outcome;
          // The list was just read. In the next iteration, it is current unless it has changed in the meantime.
          if (!isKnown) continue;
          leave ??= waits.begin(`user ${userId}`);
          await sleepUntilChange(list, left, request.signal());
          await request.confirm();
        }
      } finally {
        leave?.();
      }
    },
  };

  async function sleepUntilChange(
    list: CurrentList,
    left: number,
    signal: AbortSignal,
  ): Promise<void> {
    const alarm = createAlarm(clock);
    const stop = list.onChange(alarm.ring);
    try {
      await alarm.sleep(left, signal);
    } finally {
      stop();
    }
  }
}
