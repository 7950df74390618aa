import { breakCommands, escapeForeign, foreignJson } from '../../base/foreign-text.js';
import type { RunStats } from '../check/timings.js';
import {
  describeCounts,
  type FileReport,
  type Finding,
  omittedOf,
  plural,
  type Severity,
  type Summary,
  wholeFile,
} from '../findings/finding.js';

/** The result of a run. */
export interface Outcome extends Summary {
  /** Maximum number of warnings. Undefined without a limit. */
  readonly maxWarnings: number | undefined;
  /** Number of files that could not be read. */
  readonly unreadable: number;
  /** Statistics of the run. Undefined without --stats. */
  readonly stats?: RunStats;
}

/**
 * Converts findings to text file by file, so that memory use does not grow with the number of files. The output
 * consists of the result of `start`, then of `file` for each report, then of `end`.
 */
export interface Reporter {
  start(): string;
  file(report: FileReport): string;
  end(outcome: Outcome): string;
}

/** The rule of the finding that reports omitted findings. */
export const omissionRule = 'more-findings';

/** Returns the findings of a report. If some are omitted, an additional finding reports their number. */
export function shownFindings(report: FileReport): readonly Finding[] {
  const omitted = omittedOf(report);
  return omitted > 0 ? [...report.findings, omission(report, omitted)] : report.findings;
}

function omission({ findings, counts }: FileReport, omitted: number): Finding {
  const left = (severity: Severity, all: number): number =>
    all - findings.filter((finding) => finding.severity === severity).length;
  const errors = left('error', counts.errors);
  const warnings = left('warning', counts.warnings);
  const kinds = describeCounts({ errors, warnings, infos: left('info', counts.infos), files: 1 });
  const severity = errors > 0 ? 'error' : warnings > 0 ? 'warning' : 'info';
  const message = `${findings.length} findings are shown, and ${omitted} more are omitted: ${kinds}.`;
  return wholeFile(omissionRule, severity, message);
}

/** Returns a message if there are more warnings than `--max-warnings` allows. */
export function tooManyWarnings({ warnings, maxWarnings }: Outcome): string | undefined {
  if (maxWarnings === undefined || warnings <= maxWarnings) return undefined;
  const count = plural(warnings, 'warning');
  return `${count}, but --max-warnings allows ${maxWarnings}.`;
}

/** Returns a finding as one line of plain text. */
export function plainLine(
  file: string,
  { line, column, severity, rule, message }: Finding,
): string {
  return `${file}:${line}:${column} ${severity} ${message} (${rule})`;
}

/** Aligns rows in columns: the first `left` columns to the left, the others to the right. */
export function alignColumns(
  rows: readonly (readonly string[])[],
  left: number,
): readonly string[] {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, at) =>
        at < left ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}

/** Names of the severities in output for people. */
export const severityNames: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
};

/**
 * Makes the output of a reporter for people safe: escapes file names and text from files, and breaks up commands in all
 * output with `breakUp`.
 */
export function harmless(reporter: Reporter, breakUp: (text: string) => string): Reporter {
  return {
    start: () => breakUp(reporter.start()),
    file: (report) => breakUp(reporter.file(escapeReport(report))),
    end: (outcome) => breakUp(reporter.end(outcome)),
  };
}

/** Returns a value as JSON without control characters and commands. Parsing it returns the same value. */
export function harmlessJson(value: unknown, indent?: number): string {
  return breakCommands(foreignJson(value, indent));
}

function escapeReport(report: FileReport): FileReport {
  return {
    ...report,
    file: escapeForeign(report.file),
    findings: report.findings.map((finding) => ({
      ...finding,
      path: escapeForeign(finding.path),
      location: escapeForeign(finding.location),
      message: escapeForeign(finding.message),
    })),
  };
}
