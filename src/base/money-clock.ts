import type { Clock } from './clock.js';
import { AppError } from './errors.js';
import { startEvery } from './every.js';
import type { Logger } from './log.js';
import { clockAfter, describeHold, type Hold, holdAdvice } from './running-time.js';
import type { StateStore } from './state.js';

export interface MoneyClockOptions {
  readonly state: StateStore;
  /** The storage's clock. */
  readonly clock: Clock;
  readonly log: Logger;
  /** Returns whether any money records are stored. Called only if no running time is stored. */
  hasMoney(): Promise<boolean>;
}

/** Prevents a jump of the wall clock from expiring money records. */
export interface MoneyClock {
  /** The storage's clock, which also returns the running time. */
  readonly clock: Clock;
  /**
   * Returns the current time for deleting expired money records, or undefined while deletions are suspended because the
   * wall clock has jumped. Reads both clocks and stores the running time first.
   */
  deletionTime(): Promise<number | undefined>;
  /** Stores the running time before it resolves, and then every minute. Failures are logged and retried. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Time between two writes of the running time, in milliseconds. */
const storeEvery = 60_000;

/** Opens the money clock. Commands only read the running time; only `serve` stores it and deletes money records. */
export async function openMoneyClock({
  state,
  clock,
  log,
  hasMoney,
}: MoneyClockOptions): Promise<MoneyClock> {
  /** Running time when the monotonic clock showed 0; undefined while the stored fact is damaged. */
  let origin = await readOrigin();
  let last = { now: clock.now(), monotonic: clock.monotonic() };
  let isStart = true;
  let reported: Hold | undefined;
  let isFailing = false;
  let ticking: { stop(): Promise<void> } | undefined;
  /** Observations run one at a time, because each is compared with the previous one. */
  let observing: Promise<unknown> = Promise.resolve();

  async function readOrigin(): Promise<number | undefined> {
    try {
      return ((await state.find('clock'))?.ranFor ?? 0) - clock.monotonic();
    } catch (error) {
      // The service continues. Until the fact is repaired, storing the running time and deleting money records fail.
      if (error instanceof AppError && error.code === 'data_damaged') return undefined;
      throw error;
    }
  }

  const ranFor = () => (origin === undefined ? undefined : Math.floor(clock.monotonic() + origin));

  async function observe(): Promise<{ readonly now: number; readonly isHeld: boolean }> {
    const isKnown = !isStart || (await state.find('clock')) !== undefined;
    const isUpgrade = !isKnown && (await hasMoney());
    const [now, monotonic] = [clock.now(), clock.monotonic()];
    const step = now - last.now - (monotonic - last.monotonic);
    const seen = { now, ranFor: ranFor() ?? 0, step, isStart, hasMoney: isUpgrade };
    const stored = await state.change('clock', (before) => clockAfter(before, seen));
    if (!stored) throw new Error('The running time was not stored.');
    last = { now, monotonic };
    isStart = false;
    // Another process may have run for longer.
    origin = Math.max(origin ?? Number.NEGATIVE_INFINITY, stored.ranFor - monotonic);
    const { hold } = stored;
    if (hold) report(hold);
    return { now, isHeld: hold !== undefined };
  }

  function inTurn() {
    const observed = observing.then(observe);
    observing = observed.catch(() => {});
    return observed;
  }

  /** Logs why deletions are suspended, once for each hold. */
  function report(hold: Hold): void {
    if (reported?.since === hold.since && reported.until === hold.until) return;
    reported = hold;
    const { cause, since, from } = hold;
    const jump = describeHold(hold);
    const kept = 'No money records are deleted until the service has run for another 24 hours.';
    if (!jump) log.info(`The running time of this data is not known yet. ${kept}`);
    else log.error({ cause, since, from }, `${jump} ${kept} ${holdAdvice}`);
  }

  async function tick(): Promise<void> {
    await inTurn();
    isFailing = false;
  }

  function onError(err: unknown): void {
    if (!isFailing) log.error({ err }, 'The running time could not be stored; retrying.');
    isFailing = true;
  }

  return {
    clock: { ...clock, ranFor },
    async deletionTime() {
      const { now, isHeld } = await inTurn();
      return isHeld ? undefined : now;
    },
    async start() {
      await tick().catch(onError);
      ticking = startEvery(storeEvery, tick, { clock, onError, sleepFirst: true });
    },
    async stop() {
      await ticking?.stop();
    },
  };
}
