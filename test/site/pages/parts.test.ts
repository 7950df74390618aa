import { describe, expect, test } from 'vitest';
import {
  catalogueAddress,
  createCatalogue,
  pageNumbers,
  pageSize,
  readSelection,
} from '../../../src/site/pages/catalogue.js';
import { shortened } from '../../../src/site/pages/frame.js';
import { dayFormat } from '../../../src/site/pages/home.js';
import {
  absolute,
  inLanguage,
  languageIn,
  linksFrom,
  monogramOf,
  paragraphs,
  pictureAddress,
} from '../../../src/site/pages/parts.js';
import { obstacle } from '../../../src/site/pages/product.js';
import {
  areOpeningHours,
  dialled,
  openingHours,
  phoneLink,
  whatsappLink,
} from '../../../src/site/pages/shop-card.js';
import type { Words } from '../../../src/site/pages/words/en.js';
import { wordsOf } from '../../../src/site/pages/words/words.js';
import { formatTenge } from '../../../src/words/formats.js';
import { languages } from '../../../src/words/languages.js';
import { exampleProduct } from './example-view.js';

describe('the catalogue', () => {
  const products = Array.from({ length: 60 }, (_, index) =>
    exampleProduct({
      id: index + 1,
      name: `Product ${index + 1}`,
      tagline: '',
      category: index % 2 ? ' Table ' : 'Bakery',
      description: index === 41 ? 'Сүт, ёж, café' : '',
    }),
  );
  const catalogue = createCatalogue([...products, exampleProduct({ id: 99, category: '' })]);
  const find = (query: Readonly<Record<string, string>>) => catalogue.find(readSelection(query));
  const ids = (query: Readonly<Record<string, string>>) => find(query).products.map(({ id }) => id);

  test('is divided into pages', () => {
    expect(ids({})).toEqual(Array.from({ length: pageSize }, (_, index) => index + 1));
    expect(ids({ page: '3' })).toHaveLength(13);
    expect(find({}).pages).toBe(3);
  });

  test.each(['0', '-1', 'x', '1.5', '', '99999999999'])('shows the first page for “%s”', (page) => {
    expect(find({ page }).page).toBe(1);
  });

  test('merges categories that differ only in case, and uses the first spelling', () => {
    const { categories, find: findIn } = createCatalogue([
      exampleProduct({ id: 1, category: 'Торттар' }),
      exampleProduct({ id: 2, category: ' торттар' }),
      exampleProduct({ id: 3, category: 'Нан' }),
    ]);
    expect(categories.map(({ name }) => name)).toEqual(['Торттар', 'Нан']);
    const found = findIn(readSelection({ category: 'ТОРТТАР' }));
    expect(found).toMatchObject({ category: 'Торттар', matches: 2 });
  });

  test('shows the last page for a page number that is too high', () => {
    expect(find({ page: '99' })).toMatchObject({ page: 3, pages: 3 });
  });

  test.each([
    ['курт', [99]],
    ['ҚҰРТ', [99]],
    ['сут', [42]],
    ['еж CAFE', [42]],
    ['dry salty', [99]],
    ['100 g nothing', []],
  ])('search for “%s” returns the products %j', (q, expected) => {
    expect(ids({ q }).filter((id) => id === 42 || id === 99)).toEqual(expected);
  });

  test('filters by an existing category and ignores an unknown one', () => {
    expect(find({ category: 'Table' })).toMatchObject({ category: 'Table', matches: 30 });
    expect(find({ category: 'Nothing' })).toMatchObject({ category: '', matches: 61 });
    expect(catalogue.categories.map(({ name }) => name)).toEqual(['Bakery', 'Table']);
  });

  test('combines search, category and page', () => {
    const found = find({ category: 'Table', q: 'product', page: '2' });
    expect(found).toMatchObject({ matches: 30, pages: 2, page: 2 });
    expect(catalogueAddress(found)).toBe('/?category=Table&q=product&page=2');
  });

  test('truncates a very long search', () => {
    expect(find({ q: 'x'.repeat(5000) }).query).toHaveLength(200);
  });

  test.each([
    [1, 1, '1'],
    [1, 2, '1 2'],
    [1, 9, '1 2 … 9'],
    [3, 9, '1 2 3 4 … 9'],
    [4, 9, '1 2 3 4 5 … 9'],
    [5, 9, '1 … 4 5 6 … 9'],
    [9, 9, '1 … 8 9'],
  ])('links from page %i of %i to the pages %s', (page, pages, expected) => {
    expect(
      pageNumbers(page, pages)
        .map((number) => number ?? '…')
        .join(' '),
    ).toBe(expected);
  });
});

describe('links and addresses', () => {
  test.each([
    ['/', 'ru', '/?lang=ru'],
    ['/?q=a&lang=en&page=2', 'kk', '/?q=a&page=2&lang=kk'],
    ['/?lang=en#news', undefined, '/#news'],
    ['', 'ru', '?lang=ru'],
  ] as const)('lead from “%s” in %s to “%s”', (path, language, expected) => {
    expect(inLanguage(path, language)).toBe(expected);
  });

  test('preserve the language of the address only if it is supported', () => {
    expect(linksFrom('/?lang=kk')('/products/1')).toBe('/products/1?lang=kk');
    expect(linksFrom('/?lang=de')('/products/1')).toBe('/products/1');
    expect(linksFrom('')('/')).toBe('/');
    expect(languageIn('/?lang=kk&q=lang')).toBe('kk');
  });

  test.each([
    ['/media/a.webp', '/media/a.webp'],
    [' https://example.com/a b.png', 'https://example.com/a%20b.png'],
    ['HTTP://example.com/a.png', 'http://example.com/a.png'],
    ['', undefined],
    ['//example.com/a.png', undefined],
    ['/\\example.com/a.png', undefined],
    ['javascript:alert(1)', undefined],
    ['data:image/svg+xml,<svg/>', undefined],
    ['a.png', undefined],
  ])('load the picture “%s” from %s', (image, expected) => {
    expect(pictureAddress(image)).toBe(expected);
  });

  test('become absolute by the public address if they are paths', () => {
    expect(absolute('https://a.example', '/b')).toBe('https://a.example/b');
    expect(absolute('https://a.example', 'https://b.example/c')).toBe('https://b.example/c');
  });
});

describe("the shop's contact details", () => {
  test.each([
    ['+7 (701) 123-45-67', '+77011234567'],
    ['8 701 123 45 67', '+77011234567'],
    ['77011234567', '+77011234567'],
    ['+7 701 123 45 67, +7 727 000 00 00', '+77011234567'],
    ['+49 30 123456', '+4930123456'],
    ['1414', '1414'],
    ['ask at the counter', undefined],
    ['7', undefined],
    ['', undefined],
    ['1'.repeat(30), undefined],
  ])('turn the phone number “%s” into %s', (text, expected) => {
    expect(dialled(text)).toBe(expected);
    expect(phoneLink(text)).toBe(expected && `tel:${expected}`);
  });

  test.each([
    ['8 701 123 45 67', 'https://wa.me/77011234567'],
    ['https://wa.me/77011234567', 'https://wa.me/77011234567'],
    ['javascript:alert(1)', undefined],
  ])('turn the WhatsApp contact “%s” into the link %s', (text, expected) => {
    expect(whatsappLink(text)).toBe(expected);
  });

  test.each([
    ['ru', 'Mo-Su 09:00-18:00', 'Пн–Вс 09:00–18:00'],
    ['kk', 'Mo-Fr 09:00-18:00, Sa 10:00-15:00', 'Дс–Жм 09:00–18:00, Сб 10:00–15:00'],
    ['en', 'Mo-Su 09:00-18:00', 'Mo-Su 09:00-18:00'],
    ['ru', 'Most days, ask', 'Most days, ask'],
    ['ru', 'круглосуточно', 'круглосуточно'],
  ] as const)('show in %s the opening hours “%s” as “%s”', (language, hours, expected) => {
    expect(openingHours(hours, wordsOf(language))).toBe(expected);
  });
});

describe('formatting a value', () => {
  test.each([
    [1850, undefined, '1\u00a0850\u00a0₸'],
    [1234567, 'ru', '1\u00a0234\u00a0567\u00a0₸'],
    [1234567, 'kk', '1\u00a0234\u00a0567\u00a0₸'],
    [1234567, 'en', '1,234,567\u00a0₸'],
    [99.5, 'ru', '99,50\u00a0₸'],
    [99.5, 'en', '99.50\u00a0₸'],
  ] as const)('writes %d tenge in %s as %s', (price, language, expected) => {
    expect(formatTenge(price, language)).toBe(expected);
  });

  test.each([
    ['en', '2026-11-01', '1 November 2026'],
    ['ru', '2026-11-01', '1 ноября 2026 г.'],
    ['kk', '2026-11-01', '2026 ж. 1 қараша'],
    // In Almaty, it is already the next day.
    ['en', '2026-11-01T20:00:00Z', '2 November 2026'],
    ['en', '2026-11-01T23:30:00+05', '1 November 2026'],
    ['en', 'soon', 'soon'],
  ] as const)('writes in %s the date %s as %s', (language, text, expected) => {
    expect(dayFormat(language, 'Asia/Almaty')(text)).toBe(expected);
  });

  test('preserves paragraphs and line breaks', () => {
    const texts = paragraphs('\nOne\r\ntwo\n \nThree <b>\n').map(({ text }) => text);
    expect(texts).toEqual(['<p>One<br>two</p>', '<p>Three &lt;b&gt;</p>']);
    expect(paragraphs('  ')).toEqual([]);
  });

  test.each([
    ['a  b\nc', 10, 'a b c'],
    ['one two three', 9, 'one two…'],
    ['ааааааааа', 5, 'аааа…'],
  ])('shortens “%s” to %i characters as “%s”', (text, length, expected) => {
    expect(shortened(text, length)).toBe(expected);
  });

  test.each([
    ['құрт', 'Қ'],
    ['  🥐 croissant', '🥐'],
    ['', '·'],
  ])('converts the name “%s” to the monogram %s', (name, expected) => {
    expect(monogramOf(name)).toBe(expected);
  });

  test.each([
    [{ price: 10 }, undefined, true, undefined],
    [{ price: 10 }, 3, true, undefined],
    [{ price: 10 }, 0, true, 'sold out'],
    [{ price: 0 }, 3, true, 'no price'],
    [{ price: 10 }, 3, false, 'no payments'],
  ])(
    'returns the obstacle for a product %j with %s left and payments %s: %s',
    (given, left, canPay, expected) => {
      expect(obstacle(exampleProduct(given), left, canPay)).toBe(expected);
    },
  );
});

describe('the translations', () => {
  /** Returns all texts of a language by path. Functions are called with numbers of each plural form. */
  function sentences(words: object, path = ''): [string, string][] {
    return Object.entries(words).flatMap(([name, value]): [string, string][] => {
      const here = `${path}/${name}`;
      if (typeof value === 'function') {
        return [0, 1, 2, 5, 11, 21, 1000].map((count) => [`${here}(${count})`, value(count, 2000)]);
      }
      return typeof value === 'string' ? [[here, value]] : sentences(value, here);
    });
  }

  test.each(languages)('contain no empty, incomplete or undefined text in %s', (language) => {
    const faulty = sentences(wordsOf(language)).filter(
      ([, text]) => text.trim() !== text || text === '' || /[{}]|undefined|\s{2}|--| - /.test(text),
    );
    expect(faulty).toEqual([]);
  });

  test.each([
    ['ru', 1, '1 товар', 'Осталась 1 штука'],
    ['ru', 3, '3 товара', 'Осталось 3 штуки'],
    ['ru', 5, '5 товаров', 'Осталось 5 штук'],
    ['ru', 21, '21 товар', 'Осталась 21 штука'],
    ['kk', 3, '3 тауар', '3 дана қалды'],
    ['en', 1, '1 product', 'Only 1 left'],
    ['en', 2000, '2,000 products', '2,000 left'],
    ['ru', 2000, '2\u00a0000 товаров', 'Осталось 2\u00a0000 штук'],
  ] as const)('in %s for %i are “%s” and “%s”', (language, number, count, left) => {
    const words: Words = wordsOf(language);
    expect([words.count(number), words.left(number)]).toEqual([count, left]);
  });
});

test.each([
  ['Mo-Fr 09:00-18:00, Sa 10:00-14:00', true],
  ['Mo,We 09:00-12:00 13:00-18:00', true],
  ['Дс-Жм 08:00-20:00', false],
  ['Mo-Fr', false],
  ['09:00-18:00', false],
  ['Mo 25:00-26:00', false],
  ['', false],
])('areOpeningHours returns for %j: %s', (text, expected) => {
  expect(areOpeningHours(text)).toBe(expected);
});
