import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { createResizer, loadSharp } from '../../src/images/resize.js';
import { madePng, pixelAt, plain, redCorner } from './pictures.js';

const resize = createResizer({ clock: systemClock });
const sizeOf = async (picture: Buffer) => {
  const { width, height, format } = await sharp(picture).metadata();
  return [format, width, height];
};
const failure = async (bytes: Buffer) => {
  const error = await resize(bytes).catch((reason) => reason);
  return error.code;
};

describe('the sizes of a picture', () => {
  it.each([
    [
      2000,
      1000,
      [
        [400, 200],
        [800, 400],
        [1600, 800],
      ],
    ],
    [
      1000,
      10,
      [
        [400, 4],
        [800, 8],
        [1000, 10],
      ],
    ],
    [
      300,
      900,
      [
        [300, 900],
        [300, 900],
        [300, 900],
      ],
    ],
    [
      1,
      1,
      [
        [1, 1],
        [1, 1],
        [1, 1],
      ],
    ],
  ])('of %i x %i pixels are never larger than the original', async (width, height, expected) => {
    const sizes = await resize(await plain(width, height).png().toBuffer());
    const found = await Promise.all(Object.values(sizes).map(sizeOf));
    expect(found).toEqual(expected.map((size) => ['webp', ...size]));
  });

  it('stay within the limits of WebP for a very tall picture', async () => {
    const sizes = await resize(madePng(2, 40_000));
    expect(await sizeOf(sizes[1600])).toEqual(['webp', 1, 16_383]);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'are upright for the EXIF orientation %i',
    async (orientation) => {
      const { 400: found } = await resize(await storedAs(await redCorner(), orientation));
      expect(await sizeOf(found)).toEqual(['webp', 40, 20]);
      expect(await isUpright(found)).toBe(true);
    },
  );

  it('contain no EXIF, location, XMP or color profile', async () => {
    const bytes = await plain(50, 50)
      .withExif({ IFD0: { Copyright: 'Aigerim' }, IFD3: { GPSLatitude: '43/1 15/1 0/1' } })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><secret/></x:xmpmeta>')
      .withIccProfile('p3')
      .jpeg()
      .toBuffer();
    expect(bytes.includes('Aigerim')).toBe(true);
    for (const size of Object.values(await resize(bytes))) {
      const { exif, xmp, icc, iptc } = await sharp(size).metadata();
      expect([exif, xmp, icc, iptc]).toEqual([undefined, undefined, undefined, undefined]);
      for (const word of ['EXIF', 'XMP ', 'ICCP', 'Aigerim', 'secret']) {
        expect(size.includes(word)).toBe(false);
      }
    }
  });

  it.each(['p3', 'srgb'])(
    'keep the colors of the profile %s, converted to sRGB',
    async (profile) => {
      const bytes = await plain(20, 20, '#3c8c64').withIccProfile(profile).png().toBuffer();
      expectNear(await pixelAt((await resize(bytes))[400], 10, 10), [60, 140, 100, 255]);
    },
  );

  it('keep the colors of a CMYK JPEG', async () => {
    const bytes = await plain(20, 20, '#3c8c64').toColourspace('cmyk').jpeg().toBuffer();
    expect((await sharp(bytes).metadata()).space).toBe('cmyk');
    expectNear(await pixelAt((await resize(bytes))[400], 10, 10), [60, 140, 100, 255], 12);
  });

  it.each([false, true])('keep the colors of a 16-bit PNG (profile: %s)', async (hasProfile) => {
    const deep = plain(20, 20, '#3c8c64').toColourspace('rgb16');
    const bytes = await (hasProfile ? deep.withIccProfile('p3') : deep).png().toBuffer();
    expect((await sharp(bytes).metadata()).depth).toBe('ushort');
    expectNear(await pixelAt((await resize(bytes))[400], 10, 10), [60, 140, 100, 255]);
  });

  it('keep transparency', async () => {
    const background = { r: 60, g: 140, b: 100, alpha: 0.5 };
    const create = { width: 900, height: 20, channels: 4, background } as const;
    const sizes = await resize(await sharp({ create }).png().toBuffer());
    for (const size of Object.values(sizes)) {
      expectNear(await pixelAt(size, 10, 3), [60, 140, 100, 128]);
    }
  });

  it('keep the gray of a gray picture', async () => {
    const bytes = await plain(20, 20, '#646464').greyscale().png().toBuffer();
    expectNear(await pixelAt((await resize(bytes))[400], 10, 10), [100, 100, 100, 255]);
  });

  it('are created from the first frame of an animated WebP', async () => {
    const frames = await Promise.all(
      ['#ff0000', '#0000ff'].map((colour) => plain(30, 30, colour).png().toBuffer()),
    );
    const bytes = await sharp(frames, { join: { animated: true } })
      .webp({ loop: 0 })
      .toBuffer();
    expect((await sharp(bytes).metadata()).pages).toBe(2);
    const { 400: found } = await resize(bytes);
    expect((await sharp(found).metadata()).pages).toBeUndefined();
    expect(await sizeOf(found)).toEqual(['webp', 30, 30]);
    expectNear(await pixelAt(found, 10, 10), [255, 0, 0, 255]);
  });

  it.each(['<script>alert(1)</script>', 'PK\u0003\u0004 a ZIP'])(
    'do not contain comments or trailing data of the picture: %j',
    async (more) => {
      const picture = await plain(30, 30).jpeg().toBuffer();
      const comment = Buffer.from(`\u0000\u0000${more}`);
      comment.writeUInt16BE(comment.length, 0);
      const marker = Buffer.from([0xff, 0xfe]);
      const bytes = Buffer.concat([
        picture.subarray(0, 2),
        marker,
        comment,
        picture.subarray(2),
        Buffer.from(more),
      ]);
      for (const size of Object.values(await resize(bytes)))
        expect(size.includes(more)).toBe(false);
    },
  );
});

describe('a file that is not a supported picture', () => {
  it.each([
    ['a GIF', Buffer.from('GIF89a\u0001\u0000')],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['HTML', Buffer.from('<!doctype html><title>x</title>')],
    ['a TIFF', Buffer.from('II*\u0000')],
    ['a WAV', Buffer.from('RIFF\u0000\u0000\u0000\u0000WAVE')],
    ['an empty file', Buffer.alloc(0)],
  ])('is rejected as unsupported: %s', async (_, bytes) => {
    expect(await failure(bytes)).toBe('unsupported_media_type');
  });

  it('is rejected as damaged if it is truncated or corrupted', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
    const jpeg = await sharp({
      create: { width: 300, height: 300, channels: 3, background: 'red', noise },
    })
      .jpeg()
      .toBuffer();
    const png = await sharp(jpeg).png().toBuffer();
    const webp = await sharp(jpeg).webp().toBuffer();
    for (const whole of [jpeg, png, webp]) {
      expect(await failure(whole.subarray(0, whole.length / 2))).toBe('bad_request');
      expect(await failure(whole.subarray(0, 16))).toBe('bad_request');
    }
    const garbled = Buffer.from(png);
    garbled.fill(0x55, 1000, 3000);
    expect(await failure(garbled)).toBe('bad_request');
  });
});

describe('a picture that is too large', () => {
  it('is rejected based on its header before anything is decoded', async () => {
    expect(await failure(madePng(10_000, 5001, 1))).toBe('too_large');
    expect(await failure(madePng(50_000_001, 1, 1))).toBe('too_large');
    expect(await failure(madePng(2 ** 31 - 1, 2 ** 31 - 1, 0))).toMatch(/too_large|bad_request/);
  });

  it('is accepted at exactly 50 megapixels', async () => {
    expect(await sizeOf((await resize(madePng(10_000, 5000)))[400])).toEqual(['webp', 400, 200]);
  });

  it('is rejected if its data does not match the size in its header', async () => {
    expect(await failure(madePng(5000, 5000, 1))).toBe('bad_request');
    expect(await sizeOf((await resize(madePng(10, 10, 100_000)))[400])).toEqual(['webp', 10, 10]);
  });
});

it('the resizer reports that pictures are unavailable if sharp is missing', async () => {
  const load = () => loadSharp(() => Promise.reject(new Error('Cannot find package')));
  const without = createResizer({ clock: systemClock, load });
  await expect(without(await plain(9, 9).png().toBuffer())).rejects.toMatchObject({
    code: 'images_unavailable',
    status: 503,
  });
});

it('sharp is loaded with only the required decoders', async () => {
  await loadSharp();
  const gif = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');
  await expect(sharp(gif).metadata()).rejects.toThrow(/unsupported/);
});

function expectNear(found: readonly number[], expected: readonly number[], by = 4): void {
  for (const [index, value] of expected.entries()) {
    expect(
      Math.abs((found[index] ?? -1) - value),
      `${found} is not near ${expected}`,
    ).toBeLessThanOrEqual(by);
  }
}

/** Transforms an upright picture so that the orientation reverses the transformation. */
const stored: Readonly<Record<number, (upright: Sharp) => Sharp>> = {
  1: (upright) => upright,
  2: (upright) => upright.flop(),
  3: (upright) => upright.rotate(180),
  4: (upright) => upright.flip(),
  // sharp mirrors first, regardless of the order of the calls.
  5: (upright) => upright.rotate(270).flop(),
  6: (upright) => upright.rotate(270),
  7: (upright) => upright.rotate(90).flop(),
  8: (upright) => upright.rotate(90),
};

/** Returns the upright picture stored with this orientation. The rotation by sharp confirms it. */
async function storedAs(upright: Sharp, orientation: number): Promise<Buffer> {
  const rotated = await stored[orientation]?.(upright).png().toBuffer();
  const bytes = await sharp(rotated)
    .withMetadata({ orientation })
    .jpeg({ quality: 100 })
    .toBuffer();
  expect(await isUpright(await sharp(bytes).autoOrient().png().toBuffer())).toBe(true);
  return bytes;
}

/** Returns whether only the top left corner is red. */
async function isUpright(picture: Buffer): Promise<boolean> {
  const corners = [
    [5, 5],
    [35, 5],
    [5, 15],
    [35, 15],
  ] as const;
  const found = await Promise.all(corners.map(([left, top]) => pixelAt(picture, left, top)));
  return found.map(([red = 0]) => red > 128).join() === 'true,false,false,false';
}
