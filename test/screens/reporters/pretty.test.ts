import { describe, expect, it } from 'vitest';
import { createPrettyReporter } from '../../../src/screens/reporters/pretty.js';
import { createColors } from '../../../src/terminal/colors.js';
import { finding, outcome, print, report } from './sample.js';

const pretty = (findings: Parameters<typeof report>[0], width = 80, color = false): string =>
  print(
    createPrettyReporter({ colors: createColors(color), width }),
    [report(findings)],
    outcome({ errors: findings.length }),
  );

describe('the pretty reporter', () => {
  it('shows the location, the message and the source line, with a mark under the value', () => {
    expect(
      pretty([finding({ column: 13, endColumn: 19 })]),
    ).toBe(`a.screen.json:3:13 error max-length
  "name" has 45 characters; the limit is 40.
  at product.name
  2 |   "product": {
> 3 |     "name": "Name"
    |             ^^^^^^

✖ 1 error in 1 file
Explain a rule: msgsite validate-screen --explain RULE
`);
  });

  it('fits every line into a narrow terminal, with the mark visible', () => {
    const text = `${'x'.repeat(150)}"name"${'y'.repeat(150)}`;
    const frame = [{ number: 3, text, skipped: 0 }];
    const lines = pretty([finding({ column: 151, endColumn: 157, frame })], 40).split('\n');
    for (const line of lines.slice(0, -3)) expect(line.length).toBeLessThanOrEqual(40);
    const mark = lines.findIndex((line) => line.includes('^'));
    const column = lines[mark]?.indexOf('^') ?? 0;
    expect(lines[mark - 1]?.slice(column, column + 6)).toBe('"name"');
  });

  it('places the mark correctly after wide characters, and does not split emoji', () => {
    const frame = [{ number: 3, text: '"日本🙂": "x"', skipped: 0 }];
    const lines = pretty([finding({ column: 9, endColumn: 12, frame })]).split('\n');
    // 日, 本 and 🙂 take two columns each. The quotation marks, the colon and the space take one.
    expect(lines.find((line) => line.includes('^'))).toBe(`    | ${' '.repeat(10)}^^^`);
  });

  it('shows the relevant part of a very long line', () => {
    const frame = [{ number: 3, text: `${'x'.repeat(199)}"name"yyy`, skipped: 9_800 }];
    const text = pretty([finding({ column: 10_000, endColumn: 10_006, frame })], 60);
    expect(text).toContain('…');
    expect(text).toContain('"name"');
  });

  it('escapes control characters in the source line', () => {
    const frame = [{ number: 3, text: '"\u001b[31m\u009b2J\u202e"', skipped: 0 }];
    const shown = pretty([finding({ frame })]);
    for (const control of ['\u001b', '\u009b', '\u202e']) expect(shown).not.toContain(control);
  });

  it('uses colours if they are enabled', () => {
    expect(pretty([finding()], 80, true)).toContain('\u001b[31merror\u001b[39m');
  });
});
