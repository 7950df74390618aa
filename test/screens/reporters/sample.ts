import type { FileReport, Finding, Severity } from '../../../src/screens/findings/finding.js';
import type { Outcome, Reporter } from '../../../src/screens/reporters/reporter.js';

/** Returns a finding, optionally with other properties. */
export function finding(overrides: Partial<Finding> = {}): Finding {
  return {
    rule: 'max-length',
    severity: 'error',
    path: '/product/name',
    location: 'product.name',
    message: '"name" has 45 characters; the limit is 40.',
    line: 3,
    column: 13,
    endLine: 3,
    endColumn: 20,
    frame: [
      { number: 2, text: '  "product": {', skipped: 0 },
      { number: 3, text: '    "name": "Name"', skipped: 0 },
    ],
    ...overrides,
  };
}

/** A text with characters that could break an output format. */
export const nasty = '50% <b>"a" & \'b\'</b>, a:b | `c` *d* [e](f)\r\n::error::x\u0007\ud800';

export const report = (findings: readonly Finding[], file = 'a.screen.json'): FileReport => ({
  file,
  findings,
  counts: {
    errors: count(findings, 'error'),
    warnings: count(findings, 'warning'),
    infos: count(findings, 'info'),
  },
  readable: true,
});

const count = (findings: readonly Finding[], level: Severity): number =>
  findings.filter(({ severity }) => severity === level).length;

export const outcome = (overrides: Partial<Outcome> = {}): Outcome => ({
  files: 1,
  errors: 0,
  warnings: 0,
  infos: 0,
  unreadable: 0,
  maxWarnings: undefined,
  ...overrides,
});

/** Returns the whole output of a reporter. */
export function print(reporter: Reporter, reports: readonly FileReport[], end: Outcome): string {
  const pieces = reports.map((one) => reporter.file(one));
  return [reporter.start(), ...pieces, reporter.end(end)].join('');
}
