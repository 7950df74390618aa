import { AppError } from '../../base/errors.js';
import type { PaymentParts } from '../parts.js';
import { maxLateness } from '../providers/provider.js';
import type { createActEndings } from './act-endings.js';
import type { Intent } from './intent.js';
import { intentsUnderWay } from './intent.js';
import { inDoubt } from './intent-errors.js';

interface BeginActOptions extends PaymentParts {
  readonly endings: ReturnType<typeof createActEndings>;
  /** Ends the calls of dead processes. */
  recover(): Promise<void>;
}

/** A call that is stored and belongs to this process. */
export interface Begun {
  /** Latest monotonic time at which the call is known to have belonged to this process. */
  readonly provenAt: number;
  /** Other calls in progress in any process; empty unless this is a refund. */
  readonly others: readonly Intent[];
}

/** Thrown if another process is making the same request. */
export class RunsElsewhere extends Error {
  readonly intent: Intent;

  constructor(intent: Intent) {
    super('Another process is making the same request.');
    this.intent = intent;
  }
}

/** Interval between two checks of the calls of other processes, in milliseconds. */
const pollEvery = 200;

/** Begins calls, and ensures that only one process at a time makes the same request. */
export function createBeginAct(options: BeginActOptions) {
  const { audit, clock, endings, stores, recover } = options;
  const closing = new AbortController();
  const maxWait = options.providerTimeout + maxLateness;

  async function write(intent: Intent): Promise<void> {
    try {
      await audit.begin({ id: intent.id, record: intent });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
      throw new RunsElsewhere(intent);
    }
  }

  /**
   * Waits until no other process has begun the same request. If two processes begin concurrently, the first in the list
   * of all calls continues after the other has withdrawn. Returns `withdraw` if this process must withdraw, and `lost`
   * if the call no longer belongs to this process.
   */
  async function standAlone(intent: Intent): Promise<Begun | 'withdraw' | 'lost'> {
    const until = clock.monotonic() + maxWait;
    for (;;) {
      const provenAt = clock.monotonic();
      const acts = await intentsUnderWay(audit);
      const same = acts.filter((act) => act.intent.id === intent.id);
      const ownCall = same.find(({ holder }) => holder === 'here');
      if (!ownCall) return 'lost';
      const others = acts.filter((act) => act !== ownCall).map((act) => act.intent);
      if (same.length === 1) return { provenAt, others };
      const first = same.find(({ holder }) => holder !== 'nobody');
      if (first !== ownCall || provenAt >= until || closing.signal.aborted) return 'withdraw';
      await recover();
      await clock.sleep(pollEvery, closing.signal);
    }
  }

  /** Returns whether this process was suspended for so long that another process may have settled its call. */
  function isTakenOver(begunAt: number): boolean {
    return clock.monotonic() - begunAt >= stores.takeoverTime;
  }

  return {
    isTakenOver,
    /** Begins a call. Throws RunsElsewhere and leaves nothing pending if another process has begun the same request. */
    async begin(intent: Intent, mayRepeat: boolean): Promise<Begun> {
      const begunAt = clock.monotonic();
      await write(intent).catch(async (error: unknown) => {
        if (error instanceof RunsElsewhere || !isTakenOver(begunAt)) throw error;
        // The intent may have been stored despite the error, and may be in doubt by now.
        throw await endings.abandon(intent, mayRepeat);
      });
      if (intent.kind !== 'refund') return { provenAt: begunAt, others: [] };
      const begun = await standAlone(intent).catch(async (error: unknown) => {
        throw await endings.giveUp(intent, error, mayRepeat);
      });
      if (begun === 'lost') throw await endings.abandon(intent, mayRepeat);
      if (begun !== 'withdraw') return begun;
      await endings.withdraw(intent);
      throw new RunsElsewhere(intent);
    },
    /** Waits until no process is making the request. Throws `in_doubt` if that takes too long. */
    async untilEnded(intent: Intent): Promise<void> {
      const until = clock.monotonic() + maxWait;
      while (clock.monotonic() < until && !closing.signal.aborted) {
        try {
          await recover();
          const acts = await audit.pending();
          if (!acts.some(({ id }) => id === intent.id)) return;
        } catch (error) {
          // The other process may have moved money, so the error must not state that nothing was done.
          throw inDoubt(intent, error);
        }
        await clock.sleep(pollEvery, closing.signal);
      }
      throw inDoubt(intent);
    },
    /** Ends all waits. */
    close: () => closing.abort(),
  };
}
