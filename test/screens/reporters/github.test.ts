import { describe, expect, it } from 'vitest';
import type { Severity } from '../../../src/screens/findings/finding.js';
import { createGithubReporter } from '../../../src/screens/reporters/github.js';
import { finding, nasty, outcome, print, report } from './sample.js';

const many = (count: number, severity: Severity) =>
  Array.from({ length: count }, (_, index) => finding({ severity, message: `No ${index}.` }));

describe('the GitHub reporter', () => {
  it('escapes messages and properties for workflow commands', () => {
    const file = 'dir,a:b%.screen.json';
    const text = print(
      createGithubReporter(),
      [report([finding({ message: nasty, location: 'x' })], file)],
      outcome({ errors: 1 }),
    );
    const [line = ''] = text.split('\n');
    expect(line).toMatch(
      /^::error file=dir%2Ca%3Ab%25\.screen\.json,line=3,endLine=3,col=13,endColumn=20,title=max-length::/,
    );
    expect(line).toContain('50%25 <b>');
    expect(line).toContain('\\u000d\\u000a:\\u003aerror:\\u003ax');
    expect(text.match(/^::/gm)).toHaveLength(1);
  });

  it('annotates the first ten findings of each kind, errors first, and logs the rest', () => {
    const findings = [...many(12, 'info'), ...many(13, 'warning'), ...many(14, 'error')];
    const text = print(
      createGithubReporter(),
      [report(findings)],
      outcome({ errors: 14, warnings: 13, infos: 12 }),
    );
    const kinds = text.split('\n').flatMap((line) => /^::(\w+) /.exec(line)?.[1] ?? []);
    expect(kinds).toEqual([
      ...Array.from({ length: 10 }, () => 'error'),
      ...Array.from({ length: 10 }, () => 'warning'),
      ...Array.from({ length: 10 }, () => 'notice'),
    ]);
    for (const { message } of findings) expect(text).toContain(message);
    expect(text).toContain('9 more findings are only in the log');
  });

  it('omits the columns of findings that span several lines', () => {
    const text = print(
      createGithubReporter(),
      [report([finding({ endLine: 5 })])],
      outcome({ errors: 1 }),
    );
    expect(text).toContain('line=3,endLine=5,title=');
  });

  it('reports an error if there are more warnings than allowed', () => {
    const text = print(createGithubReporter(), [], outcome({ warnings: 2, maxWarnings: 1 }));
    expect(text).toContain('::error::2 warnings, but --max-warnings allows 1');
  });
});
