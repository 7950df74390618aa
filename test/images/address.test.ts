import { describe, expect, it } from 'vitest';
import {
  mediaAddress,
  mediaAddresses,
  mediaNamesIn,
  readMedia,
  srcsetOf,
} from '../../src/images/media.js';

const name = '0123456789abcdef0123456789abcdef';
const other = 'f'.repeat(32);

describe('the address of a picture', () => {
  it('contains the name of the picture and the width', () => {
    expect(mediaAddress({ name, width: 800 })).toBe(`/media/${name}-800.webp`);
    expect(mediaAddresses(name)).toEqual({
      400: `/media/${name}-400.webp`,
      800: `/media/${name}-800.webp`,
      1600: `/media/${name}-1600.webp`,
    });
  });

  it.each([400, 800, 1600] as const)('can be parsed for the width %d', (width) => {
    expect(readMedia(mediaAddress({ name, width }))).toEqual({ name, width });
  });

  it.each([
    '',
    `/media/${name}-801.webp`,
    `/media/${name}-0800.webp`,
    `/media/${name.toUpperCase()}-800.webp`,
    `/media/${name}0-800.webp`,
    `/media/${name}-800.webp?x`,
    `/media/${name}-800.webp\n`,
    `/media/../${name}-800.webp`,
    `/media//${name}-800.webp`,
    `media/${name}-800.webp`,
    `https://example.com/media/${name}-800.webp`,
    '/demo/beans.svg',
  ])('is rejected if it is %j', (address) => {
    expect(readMedia(address)).toBeUndefined();
  });
});

describe('the srcset of an image', () => {
  it('lists every width of an uploaded picture', () => {
    expect(srcsetOf(`/media/${name}-800.webp`)).toBe(
      `/media/${name}-400.webp 400w, /media/${name}-800.webp 800w, /media/${name}-1600.webp 1600w`,
    );
  });

  it.each(['', '/demo/beans.svg', 'https://example.com/a.webp'])('is undefined for %j', (image) => {
    expect(srcsetOf(image)).toBeUndefined();
  });
});

it('mediaNamesIn returns the names of the pictures in a text', () => {
  const text = `New: ![bread](/media/${name}-800.webp), http://shop.kz/media/${other}-400.webp. /media/x-400.webp`;
  expect(mediaNamesIn(text)).toEqual([name, other]);
  expect(mediaNamesIn('nothing')).toEqual([]);
});
