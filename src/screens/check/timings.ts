import type { FileReport, Timings } from '../findings/finding.js';
import type { LintSubject } from '../rules/lint.js';

/** Returns timings that are all zero. */
export function noTimings(): Timings {
  return { bytes: 0, reading: 0, parsing: 0, contract: 0, rules: 0, findings: 0, byRule: {} };
}

/** Returns a function that runs a rule and records its duration, or undefined without timings. */
export function timedRules(timings: Timings | undefined): LintSubject['measure'] {
  if (timings === undefined) return undefined;
  return (rule, check) => {
    const started = performance.now();
    check();
    timings.byRule[rule] = performance.now() - started;
  };
}

type Phase = Exclude<keyof Timings, 'byRule' | 'bytes'>;

/** Runs a function, and records its duration if there are timings. */
export function timed<T>(timings: Timings | undefined, phase: Phase, work: () => T): T {
  if (timings === undefined) return work();
  const started = performance.now();
  const result = work();
  timings[phase] += performance.now() - started;
  return result;
}

const phases = ['reading', 'parsing', 'contract', 'rules', 'findings'] as const;

/** Statistics of a run. Times are in milliseconds, summed over all threads. */
export interface RunStats {
  readonly files: number;
  readonly bytes: number;
  /** Wall-clock time of the run. */
  readonly total: number;
  readonly phases: Readonly<Record<(typeof phases)[number] | 'reporting', number>>;
  /** Slowest rules first. */
  readonly rules: readonly { readonly rule: string; readonly time: number }[];
  /** Slowest files first. */
  readonly slowest: readonly {
    readonly file: string;
    readonly bytes: number;
    readonly time: number;
  }[];
}

/** Maximum number of files that `--stats` lists. */
const slowestShown = 5;

/** Sums the timings of reports, and measures the time for printing them. */
export function openRunStats() {
  const started = performance.now();
  const sums = { reading: 0, parsing: 0, contract: 0, rules: 0, findings: 0, reporting: 0 };
  const byRule = new Map<string, number>();
  const totals = { files: 0, bytes: 0 };
  let slowest: RunStats['slowest'] = [];
  return {
    file({ file, timings }: FileReport): void {
      totals.files += 1;
      if (timings === undefined) return;
      const { bytes } = timings;
      totals.bytes += bytes;
      let time = 0;
      for (const phase of phases) {
        sums[phase] += timings[phase];
        time += timings[phase];
      }
      for (const [rule, spent] of Object.entries(timings.byRule)) {
        byRule.set(rule, (byRule.get(rule) ?? 0) + spent);
      }
      slowest = [...slowest, { file, bytes, time: round(time) }]
        .sort((a, b) => b.time - a.time)
        .slice(0, slowestShown);
    },
    /** Runs a function that prints a report, and records its duration. */
    async reporting(work: () => Promise<void>): Promise<void> {
      const before = performance.now();
      await work();
      sums.reporting += performance.now() - before;
    },
    sum(): RunStats {
      const rounded = { ...sums };
      for (const phase of [...phases, 'reporting'] as const) rounded[phase] = round(rounded[phase]);
      return {
        ...totals,
        total: round(performance.now() - started),
        phases: rounded,
        rules: [...byRule]
          .map(([rule, time]) => ({ rule, time: round(time) }))
          .sort((a, b) => b.time - a.time || (a.rule < b.rule ? -1 : 1)),
        slowest,
      };
    },
  };
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}
