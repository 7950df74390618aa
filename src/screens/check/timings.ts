import type { FileReport, Timings } from '../findings/finding.js';
import type { LintSubject } from '../rules/lint.js';
/** Timings of a file that nothing was done with yet. */
export function noTimings(): Timings {
  return { bytes: 0, reading: 0, parsing: 0, contract: 0, rules: 0, findings: 0, byRule: {} };
}

/** Takes down how long each rule takes; undefined where nobody asked. */
export function timedRules(timings: Timings | undefined): LintSubject['measure'] {
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

const phases = ['reading', 'parsing', 'contract', 'rules', 'findings'] as const;

/** Where the time of a run went, in milliseconds. Of several threads the times are added up. */
export interface RunStats {
  readonly files: number;
  readonly bytes: number;
  /** From the first file to the last. */
  readonly total: number;
  readonly phases: Readonly<Record<(typeof phases)[number] | 'reporting', number>>;
  /** The slowest first. */
  readonly rules: readonly { readonly rule: string; readonly time: number }[];
  /** The slowest files first. */
  readonly slowest: readonly {
    readonly file: string;
    readonly bytes: number;
    readonly time: number;
  }[];
}

/** The most files that `--stats` lists. */
const mostSlowest = 5;

/** Adds up the timings of reports, and of reporting them. */
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
        .slice(0, mostSlowest);
    },
    /** Does the reporting of a file, or of the end. */
    async reporting(work: () => Promise<void>): Promise<void> {
      const before = performance.now();
      await work();
      sums.reporting += performance.now() - before;
    },
    sum(): RunStats {
      const { reading, parsing, contract, rules, findings, reporting } = sums;
      const rounded = { reading, parsing, contract, rules, findings, reporting };
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
