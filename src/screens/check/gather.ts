import { bySeverity, type FileReport, type Problem, type Severity } from './findings.js';

/** Findings of one file that are shown at most; all of them are counted. */
export const mostFindings = 1_000;

/**
 * Takes one problem. Its words are made only where it is shown: a file may have millions of problems,
 * and finding the likely meaning of a word takes its time.
 */
export type AddProblem = (severity: Severity, describe: () => Problem) => void;

/**
 * Runs checks that hand over their problems. Counts all, and keeps as many as are shown: errors before
 * warnings before notes, of each kind in the order in which they were found.
 */
export function gatherProblems(check: (add: AddProblem) => void, most = mostFindings) {
  const counts = { error: 0, warning: 0, info: 0 };
  const kept: Record<Severity, (() => Problem)[]> = { error: [], warning: [], info: [] };
  check((severity, describe) => {
    counts[severity] += 1;
    if (kept[severity].length < most) kept[severity].push(describe);
  });
  const shown = [...kept.error, ...kept.warning, ...kept.info].slice(0, most);
  return {
    problems: shown.map((describe) => describe()),
    counts: { errors: counts.error, warnings: counts.warning, infos: counts.info },
  };
}

/** A report with as many findings as are shown; for runs that asked for more of them. */
export function showFirst(report: FileReport): FileReport {
  if (report.findings.length <= mostFindings) return report;
  return { ...report, findings: [...report.findings].sort(bySeverity).slice(0, mostFindings) };
}
