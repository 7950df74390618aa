import type { Clock as ClockFact, Hold } from '#validators/state-records';
import type { Clock } from './clock.js';

/** How long a deployment has run, and what its wall clock showed then, as it is stored. */
export type { Clock as ClockFact, Hold } from '#validators/state-records';

const hour = 3_600_000;
const day = 24 * hour;

/** While a process runs, its wall clock has jumped where it moved by more than this against the monotonic clock. */
const jumpWhileRunning = hour;
/** At a start it has jumped where it is further than this from the last stored time. */
const jumpAtStart = 7 * day;
/** Running time for which nothing about money is deleted after a jump. */
const holdTime = day;
/**
 * The running time is stored every minute, so what a process has just stamped may be ahead of it for a moment. What is
 * further ahead was stamped before a stored time that is lost: the wall clock alone counts for it.
 */
const aheadAtMost = hour;

type Times = Pick<Clock, 'now' | 'ranFor'>;

/** When something was stored, by both clocks. */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The running time; older versions stored none. */
  readonly ranAt?: number | undefined;
}

/** Returns the running time for a record that is stored now; nothing where it is not known. */
export function ranAtOf(clock: Pick<Clock, 'ranFor'>): { readonly ranAt?: number } {
  const ranAt = clock.ranFor?.();
  return ranAt === undefined ? {} : { ranAt };
}

/**
 * Returns the running times, from one up to and including another, that are less than `life` ago: what was stored then
 * is not over yet, whatever the wall clock says.
 */
export function recentRunningTimes(
  life: number,
  clock: Pick<Clock, 'ranFor'>,
): { readonly from: number; readonly to: number } {
  const ranFor = clock.ranFor?.();
  if (ranFor === undefined) return { from: 0, to: -1 };
  return { from: ranFor - life + 1, to: ranFor + aheadAtMost };
}

/** Whether what was stored at a moment has lived for `life` milliseconds by the wall clock and by running time. */
export function hasExpired({ at, ranAt }: Moment, life: number, clock: Times): boolean {
  if (clock.now() - at < life) return false;
  if (ranAt === undefined) return true;
  const { from, to } = recentRunningTimes(life, clock);
  return ranAt < from || ranAt > to;
}

/**
 * Whether both clocks say that less than `life` has passed since a moment: for what somebody else forgets by a clock of
 * their own.
 */
export function isRecent({ at, ranAt }: Moment, life: number, clock: Times): boolean {
  const ranFor = clock.ranFor?.();
  const hasRun = ranAt === undefined || ranFor === undefined ? 0 : ranFor - ranAt;
  return Math.abs(clock.now() - at) < life && hasRun < life;
}

/** What a process sees of both clocks. */
export interface Observation {
  /** The wall clock. */
  readonly now: number;
  /** The running time, as far as this process knows it. */
  readonly ranFor: number;
  /** By how much the wall clock has moved against the monotonic one since this process last looked. */
  readonly step: number;
  /** Whether this process looks for the first time. */
  readonly isStart: boolean;
  /** Whether anything about money is stored; only asked for where no time is. */
  readonly hasMoney: boolean;
}

/** Returns what is to be stored after an observation. */
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
  // Monotonic times have fractions of milliseconds.
  const from = cause === 'start' ? before.time : Math.max(0, Math.round(now - seen.step));
  const hold: Hold = { cause, since: now, from, until: ranFor + holdTime };
  return { ranFor, time: now, jumps: before.jumps + 1, hold };
}

/** A jump that another process has stored already is none: the stored time fits what this process sees. */
function causeOfHold(
  before: ClockFact,
  { now, ranFor, step, isStart }: Observation,
): 'jump' | 'start' | undefined {
  const expected = before.time + Math.max(0, ranFor - before.ranFor);
  const distance = Math.abs(now - expected);
  if (Math.abs(step) > jumpWhileRunning && distance > jumpWhileRunning) return 'jump';
  return isStart && distance > jumpAtStart ? 'start' : undefined;
}

/** What an operator is told of a hold; undefined where nothing has jumped. */
export function describeHold({ cause, since, from = since }: Hold): string | undefined {
  const [before, after] = [from, since].map((time) => new Date(time).toISOString());
  if (cause === 'first') return undefined;
  return cause === 'jump'
    ? `The wall clock jumped from ${before} to ${after}.`
    : `At the start the wall clock showed ${after}, while the data was last in use at ${before}.`;
}

/** The same with how much longer the service has to run; undefined where nothing is held back after a jump. */
export function describeHeld({ ranFor, hold }: ClockFact): string | undefined {
  const jump = hold && hold.until > ranFor ? describeHold(hold) : undefined;
  if (!hold || jump === undefined) return undefined;
  const minutes = Math.ceil((hold.until - ranFor) / 60_000);
  const left = `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${jump} Nothing about money is deleted until the service has run for another ${left}.`;
}

/** What to do about a jump. */
export const holdAdvice =
  'Check the clock of this machine (with --database, that of the database) and set it right where it is wrong; there is nothing else to do.';
