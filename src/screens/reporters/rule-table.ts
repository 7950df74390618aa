import { severityNames } from './reporter.js';
import type { RuleCount } from './tally.js';

/** Findings from which on a table by rule says more than the list above it. */
const fewest = 10;

/** Whether so many findings are summed up by rule; where some are folded, always. */
export function needsTable(rules: readonly RuleCount[], isFolded: boolean): boolean {
  const findings = rules.reduce((sum, { count }) => sum + count, 0);
  return isFolded || (findings > fewest && rules.length > 1);
}

/** A line for each rule, below a heading, in columns: rule, severity, findings, files, and what can be mended. */
export function ruleTable(rules: readonly RuleCount[]): readonly string[] {
  const hasFixable = rules.some(({ fixable }) => fixable > 0);
  const rows = [
    ['rule', 'severity', 'count', 'files', ...(hasFixable ? ['fixable'] : [])],
    ...rules.map(({ rule, severity, count, files, fixable }) => [
      rule,
      severityNames[severity],
      String(count),
      String(files),
      ...(hasFixable ? [fixable > 0 ? String(fixable) : ''] : []),
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
