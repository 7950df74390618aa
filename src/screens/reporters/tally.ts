import {
  type FileReport,
  type FoldedCount,
  type Severity,
  severityRank,
} from '../check/findings.js';

/** What was found of one rule in all files. */
export interface RuleCount {
  readonly rule: string;
  readonly severity: Severity;
  readonly count: number;
  /** Files that have it. */
  readonly files: number;
  /** How many of them `--fix` can mend. */
  readonly fixable: number;
}

/** Counts findings by rule while reports come in. */
export interface Tally {
  add(report: FileReport): void;
  /** Errors first, then the most frequent ones. */
  rules(): readonly RuleCount[];
  readonly fixable: number;
}

/** Opens a count of findings; one that is counted, but left out of its report, is of no rule. */
export function openTally(): Tally {
  const counts = new Map<string, RuleCount & { last: FileReport }>();
  let allFixable = 0;
  const count = (report: FileReport, { rule, severity, count, fixable }: FoldedCount): void => {
    const key = `${severity} ${rule}`;
    const before = counts.get(key);
    allFixable += fixable;
    counts.set(key, {
      rule,
      severity,
      count: (before?.count ?? 0) + count,
      files: (before?.files ?? 0) + (before?.last === report ? 0 : 1),
      fixable: (before?.fixable ?? 0) + fixable,
      last: report,
    });
  };
  return {
    add(report) {
      for (const { rule, severity, fix } of report.findings) {
        count(report, { rule, severity, count: 1, fixable: fix === undefined ? 0 : 1 });
      }
      for (const folded of report.folded ?? []) count(report, folded);
    },
    rules: () =>
      [...counts.values()]
        .map(({ last: _, ...count }) => count)
        .sort(
          (a, b) =>
            severityRank(a.severity) - severityRank(b.severity) ||
            b.count - a.count ||
            (a.rule < b.rule ? -1 : 1),
        ),
    get fixable() {
      return allFixable;
    },
  };
}
