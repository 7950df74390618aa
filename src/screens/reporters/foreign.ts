import { breakCommands, escapeForeign, foreignJson } from '../../base/foreign-text.js';
import type { FileReport } from '../check/findings.js';
import type { Reporter } from './reporter.js';

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
