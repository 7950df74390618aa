/** Runs the check of a rule, and may take down how long that takes. */
export type Measure = (rule: string, check: () => void) => void;

/** Where the time of one file went, in milliseconds; kept only where it was asked for. */
export interface Timings {
  /** Size of the file. */
  bytes: number;
  reading: number;
  parsing: number;
  contract: number;
  /** The linter: what the page would show of the definition, and all rules over it. */
  rules: number;
  /** Placing findings in the text and wording them. */
  findings: number;
  /** Of each rule. */
  readonly byRule: Record<string, number>;
}

/** Timings of a file that nothing was done with yet. */
export function noTimings(): Timings {
  return { bytes: 0, reading: 0, parsing: 0, contract: 0, rules: 0, findings: 0, byRule: {} };
}

/** Takes down how long each rule takes; undefined where nobody asked. */
export function timedRules(timings: Timings | undefined): Measure | undefined {
  if (timings === undefined) return undefined;
  return (rule, check) => {
    const started = performance.now();
    check();
    timings.byRule[rule] = performance.now() - started;
  };
}

type Phase = Exclude<keyof Timings, 'byRule' | 'bytes'>;

/** Does some work and takes down how long it took. */
export function timed<T>(timings: Timings | undefined, phase: Phase, work: () => T): T {
  if (timings === undefined) return work();
  const started = performance.now();
  const result = work();
  timings[phase] += performance.now() - started;
  return result;
}
