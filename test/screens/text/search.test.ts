import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold, isFound, readQuery, searchIndex } from '../../../src/screens/text/search.js';

const finds = (typed: string, text: string): boolean =>
  isFound(readQuery(typed), searchIndex(text));

describe('folding a text', () => {
  it.each([
    ['Ёлка', 'елка'],
    ['ӘҒҚҢӨҰҮҺІ', 'агкноуухи'],
    ['İSTANBUL', 'istanbul'],
    ['Diyarbakır', 'diyarbakir'],
    ['Straße STRASSE ẞ', 'strasse strasse ss'],
    ['Café crème Łódź', 'cafe creme lodz'],
    ['ＡＢＣ１２３', 'abc123'],
    ['ΣΟΦΟΣ', 'σοφοσ'],
    ['«Ромашка» “x” O’Brien обʼєкт', 'ромашка x obrien обект'],
    ['a‑b–c—d−e', 'a-b-c-d-e'],
    ['33\u00a0900\u202f000\u2009₸', '33 900 000 ₸'],
    ['со\u00adгла\u200bсо\u2060вано\ufeff', 'согласовано'],
    ['\u202eAdmin\u202c \u2067x\u2069', 'admin x'],
    ['٣٣٫٥ ۱۲ १२', '33.5 12 12'],
    ['مُحَمَّد مـحـمـد', 'محمد محمد'],
    ['כָּתוּב', 'כתוב'],
    ['a  \t b\nc', 'a b\nc'],
  ])('converts %j to %j', (text, folded) => {
    expect(fold(text)).toBe(folded);
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => fold(fold(text)) === fold(text)),
    );
  });
});

describe('searching for a number', () => {
  const queries = [
    '33900000',
    '33 900 000',
    '33,900,000',
    '33.900.000',
    "33'900'000",
    '33 900',
    '33\u00a0900\u00a0000',
  ];
  const shown = [
    '33\u00a0900\u00a0000',
    '33,900,000',
    '33.900.000',
    '33’900’000',
    '33900000',
    '33\u202f900\u202f000 ₸',
  ];
  it.each(queries)('finds a number with any separator by %j', (typed) => {
    expect(shown.filter((text) => !finds(typed, text))).toEqual([]);
  });

  it.each([
    ['1234.5', '1\u00a0234,5'],
    ['1234,50', '1,234.50'],
    ['1,234.5', '1\u00a0234,50'],
    ['12.50', '12,5'],
    ['1200', '1 200, 1 300'],
    ['1200,00', '1\u00a0200'],
    ['-5000', '−5\u00a0000'],
    ['33900000₸', '33\u00a0900\u00a0000\u00a0₸'],
    ['$1,200', '1\u00a0200'],
    ['33900', '٣٣٬٩٠٠'],
    ['77011234567', '+7 (701) 123-45-67'],
    ['+7 (701) 123-45-67', '+77011234567'],
    ['701 1234567', '+7 (701) 123-45-67'],
    ['(701)123 45 67', '+7 701 123 45 67'],
    ['101 202', 'Room 101\nOrder 202'],
    ['2026 33900000', '2026\n33\u00a0900\u00a0000'],
  ])('the query %j finds %j', (typed, text) => {
    expect(finds(typed, text)).toBe(true);
  });

  it.each([
    ['12,5', '125'],
    ['125', '12,5'],
    ['3.5', '35'],
    ['-5000', '5 000'],
    ['33900001', '33 900 000'],
    ['14:30', '30 of 14'],
  ])('the query %j does not find %j', (typed, text) => {
    expect(finds(typed, text)).toBe(false);
  });
});

describe('searching for a date', () => {
  const queries = [
    '2026-11-21',
    '21.11.2026',
    '21/11/2026',
    '11/21/2026',
    '2026/11/21',
    '21-11-2026',
    '2026-11',
    '11.2026',
  ];
  it.each(queries)('finds a cell with the date by %j', (typed) => {
    expect(finds(typed, '21 Nov 2026\n2026-11-21')).toBe(true);
    expect(finds(typed, '21.11.2026')).toBe(true);
  });

  it.each([
    ['1.2.2026', '01.02.2026'],
    ['nov 2026', '21 Nov 2026'],
    ['2026-11-21', 'Filed 2026-11-21T09:30'],
  ])('the query %j finds %j', (typed, text) => {
    expect(finds(typed, text)).toBe(true);
  });

  it.each(['2026-11-22', '22.11.2026', '21.12.2026', '2026-12'])(
    'does not find a different date by %j',
    (typed) => {
      expect(finds(typed, '21 Nov 2026\n2026-11-21')).toBe(false);
    },
  );
});

describe('searching for words', () => {
  it.each([
    ['wheat astana', 'Wheat 3rd class\nAstana'],
    ['astana wheat', 'Wheat 3rd class\nAstana'],
    ['Wheat, Astana', 'Wheat 3rd class\nAstana'],
    ['Иванов - Петров', 'Петров\nИванов'],
    ['кафе-бар', 'Кафе — Бар'],
    ['алматы', 'Алматы қаласы'],
    ['каласы', 'Алматы қаласы'],
    ['"Ромашка"', 'ТОО «Ромашка»'],
    ['-', 'A – B'],
    ['?', 'Why?'],
    ['', 'anything'],
    [' \u200b\u00ad ', 'anything'],
    ['«»', 'anything'],
  ])('the query %j finds %j', (typed, text) => {
    expect(finds(typed, text)).toBe(true);
  });

  it.each([
    ['wheat almaty', 'Wheat 3rd class\nAstana'],
    ['C-101', 'D-101 acme'],
    ['-', 'AB'],
  ])('the query %j does not find %j', (typed, text) => {
    expect(finds(typed, text)).toBe(false);
  });

  it('finds every text if the query is the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (text) => finds(text, text)),
    );
    const unit = fc.constantFrom(...'0123456789 .,-()/+\u00a0₸%');
    fc.assert(fc.property(fc.string({ unit, maxLength: 20 }), (text) => finds(text, text)));
  });
});
