import { describe, expect, it } from 'vitest';
import { formatDate, formatPrice, parsePrice } from '../../src/pages/shared/format.js';
import { pictureUrl } from '../../src/pages/shared/picture.js';

describe('prices', () => {
  it.each([
    { price: 1850, expected: '1 850 ₸' },
    { price: 0, expected: '0 ₸' },
    { price: 99.5, expected: '99,50 ₸' },
    { price: 1234567, expected: '1 234 567 ₸' },
    { price: 'x', expected: '' },
  ])('$price is shown as “$expected”', ({ price, expected }) => {
    expect(formatPrice(price).replace(/\s/g, ' ')).toBe(expected);
  });

  it.each([
    { text: '1850', expected: 1850 },
    { text: ' 1 850 ₸', expected: 1850 },
    { text: '1 850,50', expected: 1850.5 },
    { text: '99.5', expected: 99.5 },
    { text: '1,850', expected: 1850 },
    { text: '12,345,678.90', expected: 12345678.9 },
    { text: '1e+21', expected: 1e21 },
    { text: '-1', expected: -1 },
    { text: '', expected: Number.NaN },
    { text: 'cheap', expected: Number.NaN },
    { text: '1.2.3', expected: Number.NaN },
    { text: '0x10', expected: Number.NaN },
  ])('“$text” is read as $expected', ({ text, expected }) => {
    expect(parsePrice(text)).toBe(expected);
  });
});

describe('dates', () => {
  it.each([
    { text: '2026-11-01', expected: '1 November 2026' },
    { text: '2026-11-01T12:00:00', expected: '1 November 2026' },
    { text: 'soon', expected: 'soon' },
    { text: '', expected: '' },
  ])('“$text” is shown as “$expected”', ({ text, expected }) => {
    expect(formatDate(text)).toBe(expected);
  });
});

describe('a picture URL', () => {
  it.each([
    { image: 'https://example.com/a.png', expected: 'https://example.com/a.png' },
    { image: '/demo/a.svg', expected: 'https://shop.example/demo/a.svg' },
    { image: '', expected: undefined },
    { image: '  ', expected: undefined },
    { image: 'javascript:alert(1)', expected: undefined },
    { image: 'data:image/svg+xml,<svg/>', expected: undefined },
    { image: 'http://', expected: undefined },
    { image: 5, expected: undefined },
  ])('for “$image” is $expected', ({ image, expected }) => {
    expect(pictureUrl(image, 'https://shop.example')).toBe(expected);
  });
});
