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

/** How a run ended, beside its counts. */
export interface Outcome extends Summary {
  /** Warnings allowed; undefined where any number is. */
  readonly maxWarnings: number | undefined;
  /** Files that could not be read. */
  readonly unreadable: number;
  /** Where the time went, where that was asked for. */
  readonly stats?: RunStats;
}

/**
 * Turns findings into text, file by file, so that what is in memory does not grow with the files:
 * `start`, then `file` for each report, then `end`. Each gives the next piece of the output.
 */
export interface Reporter {
  start(): string;
  file(report: FileReport): string;
  end(outcome: Outcome): string;
}

/** What the result is called that says how many findings are left out. */
export const omissionRule = 'more-findings';

/** The findings that are shown, and where some are left out, one more that says how many. */
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
  const message = `${findings.length} findings are shown, and ${omitted} more are not: ${kinds}.`;
  return wholeFile(omissionRule, severity, message);
}

/**
 * What is said where warnings alone fail the run, else undefined:
 * `1 warning, and at most 0 are allowed (--max-warnings 0).`
 */
export function tooManyWarnings({ warnings, maxWarnings }: Outcome): string | undefined {
  if (maxWarnings === undefined || warnings <= maxWarnings) return undefined;
  const count = plural(warnings, 'warning');
  return `${count}, and at most ${maxWarnings} are allowed (--max-warnings ${maxWarnings}).`;
}

/** A finding in one line of plain text. */
export function plainLine(
  file: string,
  { line, column, severity, rule, message }: Finding,
): string {
  return `${file}:${line}:${column} ${severity} ${message} (${rule})`;
}

/** What people call each severity. */
export const severityNames: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
};

/**
 * A reporter of text for people. What came from files and their names reaches it escaped, and
 * `breakUp` takes the commands out of all that it writes, also where its own words complete one.
 */
export function harmless(reporter: Reporter, breakUp: (text: string) => string): Reporter {
  return {
    start: () => breakUp(reporter.start()),
    file: (report) => breakUp(reporter.file(escapeReport(report))),
    end: (outcome) => breakUp(reporter.end(outcome)),
  };
}

/** A value as JSON that shows nothing of the kind; parsed, it is the same value. */
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
      place: escapeForeign(finding.place),
      message: escapeForeign(finding.message),
    })),
  };
}
