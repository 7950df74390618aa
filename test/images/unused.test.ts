import { describe, expect, it } from 'vitest';
import { planUnused, unusedFor } from '../../src/images/images.js';
import { imagesIn } from '../../src/site/content.js';

const now = 1_000_000_000_000;
const day = 86_400_000;
const nothing = { used: [], unused: [], expired: [] };

describe('the search for unused pictures', () => {
  it.each([
    ['does not change a picture that is used and marked as used', null, true, {}, nothing],
    [
      'marks a picture as used when it is used again',
      now - 29 * day,
      true,
      {},
      { ...nothing, used: ['a'] },
    ],
    [
      'marks a picture as used even after it has expired',
      now - 40 * day,
      true,
      {},
      { ...nothing, used: ['a'] },
    ],
    [
      'marks a picture as unused when it is no longer used',
      null,
      false,
      {},
      { ...nothing, unused: ['a'] },
    ],
    [
      'keeps a picture that has been unused for less than 30 days',
      now - unusedFor + 1,
      false,
      {},
      nothing,
    ],
    [
      'removes a picture that has been unused for 30 days',
      now - unusedFor,
      false,
      {},
      { ...nothing, expired: ['a'] },
    ],
    [
      'restarts the time of a picture that is unused since a future time',
      now + 1,
      false,
      {},
      { ...nothing, unused: ['a'] },
    ],
    [
      'restarts the time of an unused picture if the clock has jumped',
      0,
      false,
      { jumped: true },
      { ...nothing, unused: ['a'] },
    ],
  ])('%s', (_, unusedSince, isUsed, more, plan) => {
    const referenced = new Set(isUsed ? ['a'] : ['b']);
    const images = [{ name: 'a', unusedSince }];
    expect(planUnused(images, referenced, { now, jumped: false, ...more })).toEqual(plan);
  });
});

it('imagesIn returns the names of the pictures in products and announcements', () => {
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
