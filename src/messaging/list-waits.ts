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
  /** The longest wait in seconds. */
  readonly wait: number;
  /** Returns the signal that ends the wait. */
  signal(): AbortSignal;
  /** Returns whether the client has the list with this tag. */
  isKnown(tag: string): boolean;
  /** Rejects if the client may no longer wait. Called after every change. */
  confirm(): Promise<unknown>;
  /**
   * Reads the list inside `track`, after acquiring what the reading needs. Gives an answer only if the client has
   * another list, so that a waiting request holds no answer.
   */
  read(track: TrackReading): Promise<ListOutcome<Answer>>;
}

/** Runs a reading of a list when it is its turn, and remembers what the list depends on. */
export type TrackReading = <Reading extends ListReading>(
  read: () => Promise<Reading>,
) => Promise<Reading>;

/** The result of a wait: the list's tag, and an answer unless the client already has this list. */
export interface ListOutcome<Answer> {
  readonly tag: string;
  readonly answer: Answer | undefined;
}

/** Chat lists that are read at once for waiting requests: one change may concern thousands. */
const maxReadings = 64;

/** Holds requests until the lists that they ask for change. */
export function createListWaits({ clock, waits, watch }: ListWaitOptions) {
  const inTurn = pLimit(maxReadings);

  return {
    /**
     * Resolves as soon as the list differs from the client's, or without an answer when the time is up or the signal
     * aborts. Rejects with `rate_limited` if it must wait and too many wait already. A list that has not changed since
     * it was last read is not read again.
     */
    async untilChanged<Answer>(
      userId: number,
      wanted: ListWait<Answer>,
    ): Promise<ListOutcome<Answer>> {
      const deadline = clock.monotonic() + wanted.wait * 1000;
      const track: TrackReading = (read) => inTurn(() => watch.read(userId, read));
      let leave: (() => void) | undefined;
      try {
        for (;;) {
          const list = watch.current(userId);
          const isHeld = list !== undefined && wanted.isKnown(list.tag);
          const outcome = isHeld ? { tag: list.tag, answer: undefined } : await wanted.read(track);
          const left = deadline - clock.monotonic();
          const isOver = left <= 0 || wanted.signal().aborted;
          if (outcome.answer !== undefined || isOver) return outcome;
          // The list was just read: on the next pass it is current, or it changed in between and is read again.
          if (!isHeld) continue;
          leave ??= waits.begin(`user ${userId}`);
          await sleepUntilChange(list, left, wanted.signal());
          await wanted.confirm();
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
