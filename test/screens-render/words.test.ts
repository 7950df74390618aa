import { describe, expect, it } from 'vitest';
import { markdown } from '../../src/screens/render/blocks/markdown.js';
import { wordsOf } from '../../src/screens/render/context.js';
import { formatDay, formatNumber, pluralForm, say } from '../../src/screens/render/format.js';

describe('formatted numbers and dates', () => {
  it.each([
    [1234567.5, 'en', '1,234,567.5'],
    [1234567.5, 'ru', '1\u00a0234\u00a0567,5'],
    [-12, 'kk', '−12'],
    [999, 'ru', '999'],
    [0, 'en', '0'],
    [1e21, 'en', '1e+21'],
  ] as const)('a number in a locale: %d in %s is %s', (value, locale, text) => {
    expect(formatNumber(value, locale)).toBe(text);
  });

  it.each([
    ['en', '5 Mar 2026'],
    ['ru', '05.03.2026'],
    ['kk', '05.03.2026'],
  ] as const)('a day in %s is %s', (locale, text) => {
    expect(formatDay(20_517, locale)).toBe(text);
  });
});

describe('plural forms', () => {
  it.each([
    [1, 0],
    [2, 1],
    [4, 1],
    [5, 2],
    [11, 2],
    [12, 2],
    [14, 2],
    [21, 0],
    [22, 1],
    [100, 2],
    [101, 0],
    [111, 2],
    [0, 2],
  ] as const)('for %d in Russian have the index %d', (count, form) => {
    expect(pluralForm(count, 'ru')).toBe(form);
  });

  it.each([
    ['ru', 1, 'Найдена 1 запись'],
    ['ru', 3, 'Найдены 3 записи'],
    ['ru', 1000, 'Найдено 1\u00a0000 записей'],
    ['kk', 5, '5 жазба табылды'],
    ['en', 1, '1 record found'],
    ['en', 0, '0 records found'],
  ] as const)('in %s for %d are correct: %s', (locale, n, text) => {
    expect(say(wordsOf[locale].found, { n }, locale)).toBe(text);
  });
});

describe('translations', () => {
  const shape = (value: unknown, path = ''): string[] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).flatMap(([key, item]) => shape(item, `${path}.${key}`))
      : [
          `${path} ${[...JSON.stringify(value).matchAll(/\{\w+\}/g)]
            .map(([name]) => name)
            .filter((name, index, all) => all.indexOf(name) === index)
            .sort()
            .join('')}`,
        ];

  it.each(['ru', 'kk'] as const)('in %s have every text and placeholder of English', (locale) => {
    expect(shape(wordsOf[locale])).toEqual(shape(wordsOf.en));
  });
});

describe('markdown', () => {
  const text = (source: string): string => markdown(source).text;

  it.each([
    ['# A\n## B', '<h3>A</h3><h4>B</h4>'],
    ['### deep first', '<h3>deep first</h3>'],
    ['# A\n#### skips', '<h3>A</h3><h4>skips</h4>'],
    ['a\nb\n\nc', '<p>a<br>b</p><p>c</p>'],
    ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
    ['1. a\n2) b', '<ol><li>a</li><li>b</li></ol>'],
    ['> a\n> b', '<blockquote><p>a b </p></blockquote>'],
    ['---', '<hr>'],
    ['**b** and *i* and `c`', '<p><strong>b</strong> and <em>i</em> and <code>c</code></p>'],
    [
      '| a | b |\n|---|---|\n| 1 | 2 |',
      '<table><thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
    ],
    ['<b>x</b>', '<p>&lt;b&gt;x&lt;/b&gt;</p>'],
    [
      '[x](https://a.test/?a=1&b=2)',
      '<p><a href="https://a.test/?a=1&amp;b=2" rel="noopener noreferrer">x</a></p>',
    ],
    ['[x](javascript:alert)', '<p>x (javascript:alert)</p>'],
  ])('is converted: %j', (source, expected) => {
    expect(text(source)).toBe(expected);
  });
});
