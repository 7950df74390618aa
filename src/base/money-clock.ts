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
  /** Whether anything about money is stored; asked where no time is. */
  hasMoney(): Promise<boolean>;
}

/** Keeps a wall clock that jumps from ending the life of anything about money. */
export interface MoneyClock {
  /** The storage's clock, which also gives the running time. */
  readonly clock: Clock;
  /**
   * Returns the time by which what is about money may be deleted now; undefined while nothing may, since the wall clock
   * has jumped. Looks at both clocks and stores the running time before it answers.
   */
  deletionTime(): Promise<number | undefined>;
  /** Stores the running time, which resolves it, and again every minute. Failures are logged and tried again. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** How often the running time is stored, in milliseconds. */
const storeEvery = 60_000;

/** Reads the running time. Commands only read it: `serve` stores it, and alone deletes what is about money. */
export async function openMoneyClock({
  state,
  clock,
  log,
  hasMoney,
}: MoneyClockOptions): Promise<MoneyClock> {
  /** Running time when the monotonic clock showed 0; undefined while what is stored is damaged. */
  let origin = await readOrigin();
  let last = { now: clock.now(), monotonic: clock.monotonic() };
  let isStart = true;
  let reported: Hold | undefined;
  let isFailing = false;
  let ticking: { stop(): Promise<void> } | undefined;
  /** One observation after the other: each is measured against the one before. */
  let observing: Promise<unknown> = Promise.resolve();

  async function readOrigin(): Promise<number | undefined> {
    try {
      return ((await state.find('clock'))?.ranFor ?? 0) - clock.monotonic();
    } catch (error) {
      // What works without it goes on; storing it fails until it is repaired, and so does every deletion.
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

  /** Every process that deletes something says once why it does not. */
  function report(hold: Hold): void {
    if (reported?.since === hold.since && reported.until === hold.until) return;
    reported = hold;
    const { cause, since, from } = hold;
    const jump = describeHold(hold);
    const kept = 'Nothing about money is deleted until the service has run for 24 hours since.';
    if (!jump) log.info(`The running time of this data was not known yet. ${kept}`);
    else log.error({ cause, since, from }, `${jump} ${kept} ${holdAdvice}`);
  }

  async function tick(): Promise<void> {
    await inTurn();
    isFailing = false;
  }

  function onError(err: unknown): void {
    if (!isFailing) log.error({ err }, 'The running time could not be stored; it is tried again.');
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
