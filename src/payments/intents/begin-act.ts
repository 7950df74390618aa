import type { AuditLog } from '../../base/audit.js';
import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import { longestLateness } from '../providers/provider.js';
import type { createActEndings } from './act-endings.js';
import { inDoubt } from './doubt-errors.js';
import type { Intent } from './intent.js';
import { intentsUnderWay } from './under-way.js';

export interface BeginActOptions {
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly endings: Pick<ReturnType<typeof createActEndings>, 'withdraw' | 'abandon'>;
  /** Ends the acts of processes that have died. */
  recover(): Promise<void>;
  /** Milliseconds that a call to the provider may take. */
  readonly providerTimeout: number;
}

/** An act that is on disk, and this process's own. */
export interface Begun {
  /** The monotonic moment at which it was its own for certain. */
  readonly provenAt: number;
  /** The other calls that are under way in any process; of refunds only. */
  readonly others: readonly Intent[];
}

/** Another process makes the same request at this moment. */
export class RunsElsewhere extends Error {
  readonly intent: Intent;

  constructor(intent: Intent) {
    super('Another process makes the same request.');
    this.intent = intent;
  }
}

/** Milliseconds between two looks at what other processes do. */
const pollEvery = 200;

/** Begins acts so that one process at a time makes a request. */
export function createBeginAct(options: BeginActOptions) {
  const { audit, clock, endings, recover } = options;
  const closing = new AbortController();
  const longestWait = options.providerTimeout + longestLateness;

  /** Puts the act on disk. */
  async function write(intent: Intent): Promise<void> {
    try {
      await audit.begin({ id: intent.id, record: intent });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
      throw new RunsElsewhere(intent);
    }
  }

  /**
   * Waits until no other process has an act of the same request; undefined where this one is to withdraw. Of two that
   * have begun at once, the first one in the list of all acts stays, and continues once the other has withdrawn.
   */
  async function standAlone(intent: Intent): Promise<Begun | 'withdraw' | 'lost'> {
    const until = clock.monotonic() + longestWait;
    for (;;) {
      const provenAt = clock.monotonic();
      const acts = await intentsUnderWay(audit);
      const same = acts.filter((act) => act.intent.id === intent.id);
      const own = same.find(({ holder }) => holder === 'here');
      if (!own) return 'lost';
      const others = acts.filter((act) => act !== own).map((act) => act.intent);
      if (same.length === 1) return { provenAt, others };
      const first = same.find(({ holder }) => holder !== 'nobody');
      if (first !== own || provenAt >= until || closing.signal.aborted) return 'withdraw';
      await recover();
      await clock.sleep(pollEvery, closing.signal);
    }
  }

  return {
    /** Begins an act. Throws RunsElsewhere, and leaves nothing behind, where another process has begun the same one. */
    async begin(intent: Intent, mayRepeat: boolean): Promise<Begun> {
      const begunAt = clock.monotonic();
      await write(intent);
      if (intent.kind !== 'refund') return { provenAt: begunAt, others: [] };
      const begun = await standAlone(intent).catch(async (error: unknown) => {
        await endings.withdraw(intent);
        throw error;
      });
      if (begun === 'lost') throw await endings.abandon(intent, mayRepeat);
      if (begun !== 'withdraw') return begun;
      await endings.withdraw(intent);
      throw new RunsElsewhere(intent);
    },
    /** Waits until no process makes a request any more. Throws `in_doubt` where that takes too long. */
    async untilEnded(intent: Intent): Promise<void> {
      const until = clock.monotonic() + longestWait;
      while (clock.monotonic() < until && !closing.signal.aborted) {
        try {
          await recover();
          const acts = await audit.pending();
          if (!acts.some(({ id }) => id === intent.id)) return;
        } catch (error) {
          // The other process may have moved money meanwhile: the client must not hear that nothing was done.
          throw inDoubt(intent, error);
        }
        await clock.sleep(pollEvery, closing.signal);
      }
      throw inDoubt(intent);
    },
    /** Ends the waiting. */
    close: () => closing.abort(),
  };
}
