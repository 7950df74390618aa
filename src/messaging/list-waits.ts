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

/** Waiting for a user's list to become another than the one that the client has. */
export interface ListWait<Answer> {
  /** How long at most, in seconds. */
  readonly wait: number;
  /** Ends the waiting. */
  signal(): AbortSignal;
  /** Whether the client has the list that is called so. */
  isKnown(tag: string): boolean;
  /** Rejects where the client may wait no longer; asked whenever something has changed. */
  confirm(): Promise<unknown>;
  /**
   * Reads the list inside of `track`; what has to be waited for before comes before it. There is an answer only
   * where the client has another list, as who waits holds on to none.
   */
  read(track: TrackReading): Promise<ListOutcome<Answer>>;
}

/** Has a list read when it is its turn, and remembers what it depends on. */
export type TrackReading = <Reading extends ListReading>(
  read: () => Promise<Reading>,
) => Promise<Reading>;

/** What waiting came to: the list's name, and an answer unless the client has the list as it is. */
export interface ListOutcome<Answer> {
  readonly tag: string;
  readonly answer: Answer | undefined;
}

/** The most chat lists that are read at once for waiting requests: one change may concern thousands. */
const mostReadings = 64;

/** Holds requests for lists until these change. */
export function createListWaits({ clock, waits, watch }: ListWaitOptions) {
  const inTurn = pLimit(mostReadings);

  return {
    /**
     * Gives the list as soon as the client has another one, or no answer when the time is up or the signal ends the
     * waiting. `rate_limited` where it must wait and too many wait already. A list that is known not to have
     * changed since it was last read is not read again.
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
          // Read a moment ago, it is current now, or something has changed in between.
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
