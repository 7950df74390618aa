import { describe, expect, it } from 'vitest';
import { createMarkdownReporter } from '../../../src/screens/reporters/markdown.js';
import { finding, nasty, outcome, print, report } from './sample.js';

describe('the Markdown reporter', () => {
  it('escapes special characters in the cells of a table', () => {
    const text = print(
      createMarkdownReporter(),
      [report([finding({ message: nasty })])],
      outcome({ errors: 1 }),
    );
    const row = text.split('\n').find((line) => line.includes('50%'));
    expect(row?.match(/(?<!\\)\|/g)).toHaveLength(4);
    expect(row).toContain('&lt;b&gt;');
    expect(row).not.toMatch(/[`*[\]]/);
  });

  it('lists errors before warnings before notes', () => {
    const findings = (['info', 'warning', 'error'] as const).map((severity) =>
      finding({ severity }),
    );
    const text = print(
      createMarkdownReporter(),
      [report(findings)],
      outcome({ errors: 1, warnings: 1, infos: 1 }),
    );
    expect(text.match(/^### \w+/gm)).toEqual(['### Errors', '### Warnings', '### Notes']);
    expect(text).toMatch(/^❌ 1 error, 1 warning and 1 note in 1 file\./m);
  });

  it('limits the number of rows if there are very many findings', () => {
    const findings = Array.from({ length: 5_000 }, () => finding());
    const text = print(createMarkdownReporter(), [report(findings)], outcome({ errors: 5_000 }));
    expect(text.length).toBeLessThan(200_000);
    expect(text).toContain('… and 4800 more.');
  });

  it('reports success if there are no findings', () => {
    expect(print(createMarkdownReporter(), [report([])], outcome())).toContain(
      '✅ No findings in 1 file.',
    );
  });
});
