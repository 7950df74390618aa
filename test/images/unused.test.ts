import { describe, expect, it } from 'vitest';
import { planUnused, unusedFor } from '../../src/images/images.js';
import { imagesIn } from '../../src/site/content.js';

const now = 1_000_000_000_000;
const day = 86_400_000;
const nothing = { used: [], unused: [], expired: [] };

describe('the plan for a picture', () => {
  it.each([
    ['used and marked as used', null, true, {}, nothing],
    ['used again after a time', now - 29 * day, true, {}, { ...nothing, used: ['a'] }],
    ['used again at the last moment', now - 40 * day, true, {}, { ...nothing, used: ['a'] }],
    ['unused from now on', null, false, {}, { ...nothing, unused: ['a'] }],
    ['unused, not long enough', now - unusedFor + 1, false, {}, nothing],
    ['unused for 30 days', now - unusedFor, false, {}, { ...nothing, expired: ['a'] }],
    ['unused since a future time', now + 1, false, {}, { ...nothing, unused: ['a'] }],
    [
      'unused for long according to a clock that has jumped',
      0,
      false,
      { jumped: true },
      { ...nothing, unused: ['a'] },
    ],
  ])('depends on use and age: %s', (_, unusedSince, isUsed, more, plan) => {
    const referenced = new Set(isUsed ? ['a'] : ['b']);
    const images = [{ name: 'a', unusedSince }];
    expect(planUnused(images, referenced, { now, jumped: false, ...more })).toEqual(plan);
  });
});

it('imagesIn finds the pictures in products and announcements', () => {
  const name = (digit: string) => digit.repeat(32);
  const address = (digit: string) => `/media/${name(digit)}-800.webp`;
  const found = imagesIn({
    products: [
      { image: address('1'), description: `see https://shop.kz${address('2')}` },
      { image: '/demo/beans.svg', description: '' },
    ],
    announcements: [{ content: `${address('3')} and ${address('1')}` }],
  });
  expect([...found].sort()).toEqual([name('1'), name('2'), name('3')]);
});
