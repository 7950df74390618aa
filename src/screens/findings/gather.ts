import {
  bySeverity,
  type Counts,
  type FileReport,
  type Finding,
  type FoldedCount,
  type Problem,
  type Severity,
} from './finding.js';

/** Maximum number of findings that are shown for a file. All findings are counted. */
export const maxFindings = 1_000;

/** A problem that can be counted without a description. */
export interface Countable {
  readonly rule: string;
  /** Returns true if `--fix` can fix it. */
  isFixable(): boolean;
}

/**
 * Adds a problem. It is described only if it is shown, because a file can have millions of problems and suggestions are
 * slow to find. A problem without `countable` is never folded.
 */
export type AddProblem = (
  severity: Severity,
  describe: () => Problem,
  countable?: Countable,
) => void;

interface Gathered {
  readonly severity: Severity;
  readonly describe: () => Problem;
  readonly countable: Countable | undefined;
}

export interface GatherOptions {
  readonly max?: number;
  /** Problems that the folding does not show are only counted, unless the file has more than `max` problems. */
  readonly folding?: Folding | undefined;
}

/**
 * Runs a check and collects its problems. Counts all of them, and describes those that are shown: errors, then
 * warnings, then notes, each in the order in which they were found.
 */
export function gatherProblems(
  check: (add: AddProblem) => void,
  { max = maxFindings, folding }: GatherOptions = {},
) {
  const counts = { error: 0, warning: 0, info: 0 };
  const kept: Record<Severity, Gathered[]> = { error: [], warning: [], info: [] };
  check((severity, describe, countable) => {
    counts[severity] += 1;
    if (kept[severity].length < max) kept[severity].push({ severity, describe, countable });
  });
  const all = [...kept.error, ...kept.warning, ...kept.info];
  const { problems, folded } = describeShown(
    all.slice(0, max),
    all.length > max ? undefined : folding,
  );
  return {
    problems,
    folded,
    counts: { errors: counts.error, warnings: counts.warning, infos: counts.info },
  };
}

function describeShown(gathered: readonly Gathered[], folding: Folding | undefined) {
  const problems: Problem[] = [];
  const folded = new Map<string, FoldedCount>();
  for (const { severity, describe, countable } of gathered) {
    if (countable === undefined || !folding?.isFull({ rule: countable.rule, severity })) {
      problems.push(describe());
      continue;
    }
    const { rule } = countable;
    const { count, fixable } = folded.get(rule) ?? { count: 0, fixable: 0 };
    const more = countable.isFixable() ? 1 : 0;
    folded.set(rule, { rule, severity, count: count + 1, fixable: fixable + more });
  }
  return { problems, folded: [...folded.values()] };
}

/** Limits a report to the findings that are shown, for runs that collected more. */
export function showFirst(report: FileReport): FileReport {
  if (report.findings.length <= maxFindings) return report;
  return { ...report, findings: [...report.findings].sort(bySeverity).slice(0, maxFindings) };
}

/** Maximum number of findings that are shown individually if there are many files, per rule and in total. */
const foldingLimits: Readonly<
  Record<Severity, { readonly ofRule: number; readonly inAll: number }>
> = {
  error: { ofRule: Number.POSITIVE_INFINITY, inAll: Number.POSITIVE_INFINITY },
  warning: { ofRule: 5, inAll: 25 },
  info: { ofRule: 1, inAll: 5 },
};

type OfRule = Pick<Finding, 'rule' | 'severity'>;

export type Folding = ReturnType<typeof openFolding>;

/**
 * Decides which findings of a run are shown individually, and which are only counted. All errors are shown, and a few
 * warnings and notes of each rule.
 *
 * Findings that are not shown are not described, because describing takes most of the time. A thread that checks some
 * of the files in order can use a separate folding, because a rule that reaches its limit in some of the files also
 * reaches it in all of them.
 */
export function openFolding(isOn = true) {
  const shown = { error: 0, warning: 0, info: 0 };
  const folded = { error: 0, warning: 0, info: 0 };
  const byRule = new Map<string, number>();
  /** Returns true if no more findings of a rule are shown. */
  const isFull = ({ rule, severity }: OfRule): boolean => {
    const limit = foldingLimits[severity];
    return isOn && (shown[severity] >= limit.inAll || (byRule.get(rule) ?? 0) >= limit.ofRule);
  };
  return {
    isFull,
    shows(finding: OfRule): boolean {
      const { rule, severity } = finding;
      if (isFull(finding)) {
        folded[severity] += 1;
        return false;
      }
      byRule.set(rule, (byRule.get(rule) ?? 0) + 1);
      shown[severity] += 1;
      return true;
    },
    /** Adds findings that were only counted. */
    add(counts: readonly FoldedCount[]): void {
      for (const { severity, count } of counts) folded[severity] += count;
    },
    /** Returns the number of findings that are not shown. */
    counts: (): Counts => ({ errors: folded.error, warnings: folded.warning, infos: folded.info }),
  };
}
