import { describe, expect, it } from 'vitest';
import { describeInvisible, invisibleSigns, mayHide } from '../../../src/screens/text/invisible.js';

const found = (text: string): readonly (readonly [string, number])[] =>
  [...invisibleSigns(text)].map(({ sign, index }) => [describeInvisible(sign), index]);

describe('an invisible character', () => {
  it.each([
    ['\u202eAdmin', 'U+202E (right-to-left override)', 0],
    ['Ad\u200bmin', 'U+200B (zero width space)', 2],
    ['Admin\ufeff', 'U+FEFF (byte order mark)', 5],
    ['A\u2066b', 'U+2066 (left-to-right isolate)', 1],
    ['A\u200eb', 'U+200E (left-to-right mark)', 1],
    ['Admin\u{e0041}', 'U+E0041 (tag character)', 5],
    ['A\u0000', 'U+0000 (control character)', 1],
    ['A\u2060b', 'U+2060 (word joiner)', 1],
    ['A\u{1d173}b', 'U+1D173 (format character)', 1],
    ['\u3164', 'U+3164 (Hangul filler)', 0],
    ['Admin\u00ad', 'U+00AD (soft hyphen)', 5],
    ['😀\u200d', 'U+200D (zero width joiner)', 2],
    ['до\u200cговор', 'U+200C (zero width non-joiner)', 2],
    ['שלום \u202eAdmin', 'U+202E (right-to-left override)', 5],
    ['🏴\u{e0067}', 'U+E0067 (tag character)', 2],
  ])('reports the character in %j as %s', (text, name, index) => {
    expect(found(text)).toEqual([[name, index]]);
  });

  it('reports each position of invisible characters', () => {
    expect(found('\u200ba\u202e😀\ufeff').map(([, index]) => index)).toEqual([0, 2, 5]);
  });

  it.each([
    ['white space and line breaks', 'a\u00a0b\u202fc\u2009d\te\r\nf'],
    ['an emoji of a family', '👩‍👩‍👧‍👦'],
    ['emoji with skin tones, symbols and colours', '👩🏽‍💻 🏳️‍🌈 ❤️‍🔥 🏴‍☠️'],
    ['the flag of Scotland', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['Persian', 'می‌خواهم'],
    ['Hindi', 'क्‍ष'],
    ['Thai', 'สวัสดี\u200bครับ'],
    ['Hebrew with a direction mark', 'מחיר \u200e12-34'],
    ['a soft hyphen within a word', 'рас\u00adхождения'],
    ['an Arabic number sign', '\u0600١٢'],
    ['ordinary text', 'Әл-Фараби, «Жұлдыз» — 33 900 ₸ 日本語'],
  ])('reports nothing in %s', (_title, text) => {
    expect(found(text)).toEqual([]);
  });

  it('rules out ordinary text quickly', () => {
    expect(mayHide('Әл-Фараби, «Жұлдыз» — 33 900 ₸\n日本語 ё')).toBe(false);
    expect(mayHide('\u200b')).toBe(true);
  });
});

it('the quick check for invisible characters agrees with Unicode for every code point', () => {
  const hidden =
    /(?![\s\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Cc}\p{Cf}\u3164\uffa0]|\ufeff/u;
  const wrong: string[] = [];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const sign = String.fromCodePoint(code);
    if (mayHide(sign) !== hidden.test(sign)) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
});
