import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type TextPart,
  wordDifference,
  wordsIn,
} from '../../src/screens/render/blocks/word-difference.js';
import { renderScreen } from '../../src/screens/render/render-screen.js';

/** Marks removed parts with brackets, and added parts with braces. */
function written(was: string, becomes: string): string | undefined {
  const around = { kept: ['', ''], removed: ['[', ']'], added: ['{', '}'] } as const;
  return wordDifference(was, becomes)
    ?.map(({ kind, text }) => around[kind].join(text))
    .join('');
}

const without = (parts: readonly TextPart[], kind: TextPart['kind']): string =>
  parts.map((part) => (part.kind === kind ? '' : part.text)).join('');

describe('the words of a text', () => {
  it.each([
    ['Rent is 70 000 ₸.', ['Rent', ' ', 'is', ' ', '70 000', ' ', '₸', '.']],
    ['on 12.05.2026, B12', ['on', ' ', '12.05.2026', ',', ' ', 'B12']],
    ['the 12th 300', ['the', ' ', '12th', ' ', '300']],
    ['家賃7万', ['家', '賃', '7', '万']],
    ['мүлік\n\nкөше', ['мүлік', '\n\n', 'көше']],
    ['👩‍👩‍👧 e\u0301t 👍🏽', ['👩‍👩‍👧', ' ', 'e\u0301t', ' ', '👍🏽']],
    ['قانون جديد', ['قانون', ' ', 'جديد']],
  ])('are split correctly: %j', (text, words) => {
    expect(wordsIn(text)).toEqual(words);
  });

  it('are equal to the text when they are joined', () => {
    const signs = fc.constantFrom(...'aЩ家ไé7. ,\n\u00a0\u0301\u200d\ud83d👩🏽\u202e');
    const texts = fc.array(signs, { maxLength: 40 }).map((all) => all.join(''));
    fc.assert(fc.property(texts, (text) => wordsIn(text).join('') === text));
  });
});

describe('the difference of two texts', () => {
  it.each([
    ['in 30 days at most', 'in 45 days at most', 'in [30]{45} days at most'],
    ['Name, phone, age and more.', 'Name, phone and more.', 'Name, phone[, age] and more.'],
    [
      'It is paid within a month after the act, in cash only.',
      'It is paid within five working days after the act, in cash only.',
      'It is paid within [a month]{five working days} after the act, in cash only.',
    ],
    ['家賃は月7万円です。', '家賃は月8万円です。', '家賃は月[7]{8}万円です。'],
    ['Мүлік иесі төлейді.', 'Мүлік жалдаушысы төлейді.', 'Мүлік [иесі]{жалдаушысы} төлейді.'],
    ['المبلغ مئة درهم شهريا', 'المبلغ مئتا درهم شهريا', 'المبلغ [مئة]{مئتا} درهم شهريا'],
    ['the same', 'the same', 'the same'],
  ])('is marked word by word: %j, %j', (was, becomes, expected) => {
    expect(written(was, becomes)).toBe(expected);
  });

  it.each([
    ['Nothing of this stays.', 'Everything became another text here'],
    ['', 'A text where there was none'],
    ['a '.repeat(2_000), 'b '.repeat(2_000)],
  ])('is undefined if the texts have too little in common', (was, becomes) => {
    expect(wordDifference(was, becomes)).toBeUndefined();
  });

  it('contains both texts, and marks only the differences', () => {
    const word = fc.constantFrom(
      'rent',
      'paid',
      'is',
      '30',
      ',',
      '\n\n',
      'үй',
      '家',
      '👩‍👩‍👧',
      ' ',
    );
    const text = fc.array(word, { minLength: 1, maxLength: 60 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(text, text, (was, becomes) => {
        const parts = wordDifference(was, becomes);
        if (parts === undefined) return;
        expect(without(parts, 'added')).toBe(was);
        expect(without(parts, 'removed')).toBe(becomes);
        expect(parts.every((part) => part.text !== '')).toBe(true);
        if (was === becomes) expect(parts.some(({ kind }) => kind !== 'kept')).toBe(false);
      }),
    );
  });
});

describe('an edited fragment', () => {
  const product = { name: 'Lease', entity: 'Lease', language: 'en' };
  const draw = (was: string, text: string): string => {
    const fragments = [{ op: 'edit', was, text }, { text: 'Kept.' }];
    const page = renderScreen({
      product,
      archetype: 'document',
      document: { title: 'T', fragments },
    });
    return page.slice(page.indexOf('id="fragment-0"'), page.indexOf('id="fragment-1"'));
  };

  it('shows and labels its changed words within the sentence', () => {
    expect(draw('Paid in 30 days.', 'Paid in <45> days.')).toContain(
      '<p>Paid in <del><span class="vh"> Removed: </span>30</del><ins><span class="vh"> Added: </span>&lt;45&gt;</ins> days.</p>',
    );
  });

  it('keeps the paragraphs that both versions share', () => {
    const page = draw('One is here.\n\nTwo is there.', 'One is here.\n\nTwo is where?');
    expect(page).toContain('<p>One is here.</p><p>Two is <del>');
  });

  it('shows two very different texts in full', () => {
    const page = draw('Nothing of this stays.', 'Everything became another text.');
    expect(page).toMatch(
      /<del><span class="vh">Before: <\/span><p>Nothing of this stays\.<\/p><\/del>/,
    );
  });
});
