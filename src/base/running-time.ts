import type { Clock as ClockFact, Hold } from '#validators/state-records';
import type { Clock } from './clock.js';

/** The stored running time of a deployment, with the wall-clock time at that moment. */
export type { Clock as ClockFact, Hold } from '#validators/state-records';

const hour = 3_600_000;
const day = 24 * hour;

/** In a running process, the wall clock has jumped if it moved by more than this relative to the monotonic clock. */
const jumpWhileRunning = hour;
/** At startup, the wall clock has jumped if it differs from the last stored time by more than this. */
const jumpAtStart = 7 * day;
/** Running time after a jump during which no money records are deleted. */
const holdTime = day;
/**
 * The running time is stored every minute, so a record that was just stamped may be ahead of the stored time. A record
 * that is further ahead was stamped before the stored time was lost. Only the wall clock determines its age.
 */
const aheadAtMost = hour;

type Times = Pick<Clock, 'now' | 'ranFor'>;

/** The time at which something was stored, by both clocks. */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The running time; absent if it was unknown. */
  readonly ranAt?: number | undefined;
}

/** Returns the running time for a record that is stored now, or an empty object if it is unknown. */
export function ranAtOf(clock: Pick<Clock, 'ranFor'>): { readonly ranAt?: number } {
  const ranAt = clock.ranFor?.();
  return ranAt === undefined ? {} : { ranAt };
}

/**
 * Returns the inclusive range of running times that are less than `life` ago. A record that was stored in this range
 * has not expired, regardless of the wall clock.
 */
export function recentRunningTimes(
  life: number,
  clock: Pick<Clock, 'ranFor'>,
): { readonly from: number; readonly to: number } {
  const ranFor = clock.ranFor?.();
  if (ranFor === undefined) return { from: 0, to: -1 };
  return { from: ranFor - life + 1, to: ranFor + aheadAtMost };
}

/** Returns whether `life` milliseconds have passed since a moment by both the wall clock and the running time. */
export function hasExpired({ at, ranAt }: Moment, life: number, clock: Times): boolean {
  if (clock.now() - at < life) return false;
  if (ranAt === undefined) return true;
  const { from, to } = recentRunningTimes(life, clock);
  return ranAt < from || ranAt > to;
}

/**
 * Returns whether less than `life` milliseconds have passed since a moment by both clocks. Use it for data that another
 * system deletes by its own clock.
 */
export function isRecent({ at, ranAt }: Moment, life: number, clock: Times): boolean {
  const ranFor = clock.ranFor?.();
  const hasRun = ranAt === undefined || ranFor === undefined ? 0 : ranFor - ranAt;
  return Math.abs(clock.now() - at) < life && hasRun < life;
}

/** One reading of both clocks. */
export interface Observation {
  /** The wall clock. */
  readonly now: number;
  /** The running time that this process has computed. */
  readonly ranFor: number;
  /**
   * Milliseconds by which the wall clock has moved relative to the monotonic clock since this process's last reading.
   */
  readonly step: number;
  /** True for the first reading of this process. */
  readonly isStart: boolean;
  /** True if any money records are stored. Used only if no running time is stored. */
  readonly hasMoney: boolean;
}

/** Returns the fact to store after an observation. */
export function clockAfter(before: ClockFact | undefined, seen: Observation): ClockFact {
  const { now } = seen;
  if (!before) {
    const { ranFor } = seen;
    const hold: Hold = { cause: 'first', since: now, until: ranFor + holdTime };
    return { ranFor, time: now, jumps: 0, ...(seen.hasMoney ? { hold } : {}) };
  }
  const ranFor = Math.max(before.ranFor, seen.ranFor);
  const cause = causeOfHold(before, seen);
  if (!cause) {
    const { hold } = before;
    const isHeld = hold !== undefined && hold.until > ranFor;
    return { ranFor, time: now, jumps: before.jumps, ...(isHeld ? { hold } : {}) };
  }
  // Monotonic times contain fractions of milliseconds.
  const from = cause === 'start' ? before.time : Math.max(0, Math.round(now - seen.step));
  const hold: Hold = { cause, since: now, from, until: ranFor + holdTime };
  return { ranFor, time: now, jumps: before.jumps + 1, hold };
}

/** Returns the reason to suspend deletions, or undefined. A jump that another process has already stored is ignored. */
function causeOfHold(
  before: ClockFact,
  { now, ranFor, step, isStart }: Observation,
): 'jump' | 'start' | undefined {
  const expected = before.time + Math.max(0, ranFor - before.ranFor);
  const distance = Math.abs(now - expected);
  if (Math.abs(step) > jumpWhileRunning && distance > jumpWhileRunning) return 'jump';
  return isStart && distance > jumpAtStart ? 'start' : undefined;
}

/** Returns a sentence about the jump that caused a hold, or undefined if the clock has not jumped. */
export function describeHold({ cause, since, from = since }: Hold): string | undefined {
  const [before, after] = [from, since].map((time) => new Date(time).toISOString());
  if (cause === 'first') return undefined;
  return cause === 'jump'
    ? `The wall clock jumped from ${before} to ${after}.`
    : `At startup, the wall clock showed ${after}, but the data was last in use at ${before}.`;
}

/** Returns the same sentence with the remaining time, or undefined if no jump is suspending deletions. */
export function describeHeld({ ranFor, hold }: ClockFact): string | undefined {
  const jump = hold && hold.until > ranFor ? describeHold(hold) : undefined;
  if (!hold || jump === undefined) return undefined;
  const minutes = Math.ceil((hold.until - ranFor) / 60_000);
  const left = `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${jump} No money records are deleted until the service has run for another ${left}.`;
}

/** Advice for an operator after a jump. */
export const holdAdvice =
  'Check the clock of this machine (with --database, the clock of the database) and correct it if it is wrong. No other action is required.';
