import { describe, expect, it } from 'vitest';
import { escapeForeign, escapeForeignLines, foreignJson } from '../../src/base/foreign-text.js';

describe('untrusted text', () => {
  it.each([
    ['Ann\u001b[31m\u0007', 'Ann\\u001b[31m\\u0007'],
    ['two\r\nlines\t', 'two\\u000d\\u000alines\\u0009'],
    ['B\u202eob \u061c\u200e\u200f\u2066', 'B\\u202eob \\u061c\\u200e\\u200f\\u2066'],
    ['\u009b2J \u007f', '\\u009b2J \\u007f'],
    ['a\u2028b\u2029c\u200bd\ufeff', 'a\\u2028b\\u2029c\\u200bd\\ufeff'],
    ['Айгерим С. — 1 500 ₸ 👍🏽', 'Айгерим С. — 1 500 ₸ 👍🏽'],
  ])('is escaped for one line: %j becomes %j', (text, shown) => {
    expect(escapeForeign(text)).toBe(shown);
  });

  it('keeps its line feeds when several lines are allowed', () => {
    expect(escapeForeignLines('Fault\u001b[31m\r\n    at run')).toBe(
      'Fault\\u001b[31m\\u000d\n    at run',
    );
  });

  it('has the same value as escaped JSON, without terminal control characters', () => {
    const value = { 'na\u202eme': ['\u009b2J', '\u001b]0;x\u0007', 'two\nlines', '\u2028'] };
    for (const text of [foreignJson(value), foreignJson(value, 2)]) {
      expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Zl}\p{Bidi_Control}]/u);
      expect(JSON.parse(text)).toEqual(value);
    }
    expect(foreignJson(value, 2)).toBe(
      JSON.stringify(value, null, 2).replace(
        /[\u202e\u009b\u2028]/g,
        (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    );
  });
});
