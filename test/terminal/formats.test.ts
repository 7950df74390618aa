import { describe, expect, it } from 'vitest';
import { csvRecord } from '../../src/base/csv.js';
import { readAmount } from '../../src/payments/amount.js';
import { canPaint, colorDepth, hasDarkBackground } from '../../src/terminal/capabilities.js';
import { formatMoment, formatPhone, formatTenge } from '../../src/terminal/formats.js';
import { formatTimeLeft } from '../../src/words/formats.js';

describe('amounts of money', () => {
  it.each([
    [1500, '1 500 ₸'],
    [1, '1 ₸'],
    [999, '999 ₸'],
    [1500.5, '1 500,50 ₸'],
    [0.05, '0,05 ₸'],
    [1234567.89, '1 234 567,89 ₸'],
    [-1500, '-1 500 ₸'],
  ])('are formatted: %d as “%s”', (amount, text) => {
    expect(formatTenge(amount)).toBe(text);
  });

  it.each([
    ['1500', 1500],
    ['1 500', 1500],
    ['1\u202f500\u00a0₸', 1500],
    ['1500,50', 1500.5],
    ['1 500.5', 1500.5],
    ['0,01', 0.01],
    ['12 345 678.5 KZT', 12_345_678.5],
  ])('are parsed: “%s” as %d', (text, amount) => {
    expect(readAmount(text)).toBe(amount);
  });

  it.each([
    ...['', ' ', '0', '0,00', '-5', '+5', '1,500.00', '1500,505', '1e3', 'Infinity', 'NaN', '0x10'],
    ...['15 00', '1_500', '1 5000', '1  500', '12 34', '1500.', '5 0'],
  ])('are rejected if they are invalid: “%s”', (text) => {
    expect(() => readAmount(text)).toThrow(expect.objectContaining({ code: 'usage' }));
  });

  it('can be parsed in the format in which they are shown', () => {
    for (const amount of [1, 1500, 1500.5, 99_999_999.99]) {
      expect(readAmount(formatTenge(amount))).toBe(amount);
    }
  });
});

describe('phones and times', () => {
  it('a valid phone number is grouped, and other text remains unchanged', () => {
    expect(formatPhone('77011234567')).toBe('+7 (701) 123-45-67');
    expect(formatPhone('unknown')).toBe('unknown');
  });

  it.each([
    [180_000, '3:00'],
    [179_001, '3:00'],
    [61_000, '1:01'],
    [1, '0:01'],
    [0, '0:00'],
    [-5000, '0:00'],
    [3_661_000, '1:01:01'],
  ])('a remaining time of %d ms is shown as %s', (milliseconds, text) => {
    expect(formatTimeLeft(milliseconds)).toBe(text);
  });

  it('an instant is shown in the given time zone', () => {
    const instant = Date.parse('2026-11-21T02:06:08Z');
    expect(formatMoment(instant, 'Asia/Almaty')).toBe('2026-11-21 07:06:08');
    expect(formatMoment(instant, 'UTC')).toBe('2026-11-21 02:06:08');
  });
});

describe('a CSV record', () => {
  it.each([
    [['a', 1, null], 'a,1,\r\n'],
    [['say "hi", all'], '"say ""hi"", all"\r\n'],
    [['two\nlines'], '"two\nlines"\r\n'],
    [['=1+1', '+7 701', '-2', '@x', '\tx'], "'=1+1,'+7 701,'-2,'@x,'\tx\r\n"],
    [[-5.5], '-5.5\r\n'],
    [['one; two'], '"one; two"\r\n'],
    [['Price, -5 %; 1-2'], '"Price, -5 %; 1-2"\r\n'],
    [['Ann;=1+1;', 'Ann\t@x'], '"Ann;\'=1+1;",Ann\t\'@x\r\n'],
    [['Ann;"=1+1;'], '"Ann;\'""=1+1;"\r\n'],
    [['Ann\n-1'], '"Ann\n\'-1"\r\n'],
    [['＝1+1', ' =1+1'], "'＝1+1,' =1+1\r\n"],
  ])('contains the values %j, escaped for spreadsheets', (values, record) => {
    expect(csvRecord(values)).toBe(record);
  });
});

describe('terminal capabilities', () => {
  it.each([
    [{ COLORTERM: 'truecolor', TERM: 'xterm' }, true, 'true'],
    [{ TERM: 'xterm-256color' }, true, 256],
    [{ TERM: 'linux' }, true, 16],
    [{ COLORTERM: 'truecolor' }, false, 0],
  ] as const)('include the colour depth of %j (colours enabled: %s)', (env, enabled, depth) => {
    expect(colorDepth(env, enabled)).toBe(depth);
  });

  it.each([
    [{ TERM: 'xterm' }, true],
    [{ TERM: 'xterm', CI: 'false' }, true],
    [{ TERM: 'xterm', CI: 'true' }, false],
    [{ TERM: 'xterm', CONTINUOUS_INTEGRATION: '1' }, false],
    [{ TERM: 'dumb' }, false],
  ])('include drawing in the environment %j: %s', (env, answer) => {
    expect(canPaint(env)).toBe(answer);
  });

  it('include a dark background unless COLORFGBG specifies a light one', () => {
    expect(hasDarkBackground({})).toBe(true);
    expect(hasDarkBackground({ COLORFGBG: '15;0' })).toBe(true);
    expect(hasDarkBackground({ COLORFGBG: '0;15' })).toBe(false);
  });
});
