import type sharp from 'sharp';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import { type MediaWidth, mediaWidths, pictureTypeOf } from './media.js';

type Sharp = typeof sharp;

/** What decodes the types that we take; sharp knows many more, of which every one is more that could be attacked. */
const decoders = ['Jpeg', 'Png', 'Webp'].map((name) => `VipsForeignLoad${name}Buffer`);

/**
 * The package that decodes and encodes pictures, loaded when the first one comes: its binaries are large, and not
 * there for every machine. Where it cannot be loaded: `images_unavailable`.
 */
export async function loadSharp(load: () => Promise<{ default: Sharp }> = importSharp) {
  try {
    const { default: found } = await load();
    // No memory for pictures that have been, and one thread for the one that is.
    found.cache(false);
    found.concurrency(1);
    found.block({ operation: ['VipsForeignLoad'] });
    found.unblock({ operation: decoders });
    return found;
  } catch (cause) {
    throw new AppError(
      'images_unavailable',
      'Pictures cannot be uploaded: the package sharp, which works on them, cannot be loaded here.',
      {
        hint: 'Install msgsite with its optional packages (npm ci --include=optional) on this machine. Until then, give the address of a picture elsewhere.',
        cause,
      },
    );
  }
}

const importSharp = () => import('sharp');

/** A picture at every width, as WebP. */
export type Sizes = Readonly<Record<MediaWidth, Buffer>>;

/** Pixels of a picture: an interlaced PNG takes four bytes or eight for each while it is read. */
const mostPixels = 50_000_000;
/** Seconds that one step of processing a picture may take. */
const longestStep = 30;
/** Pixels of a WebP's longer side. */
const longestSide = 16_383;
/** Bytes of one stored size: in base64 it has to fit on a line of an export. */
const mostSizeBytes = 8 * 1024 * 1024;

/** What a browser shows without anybody seeing the difference, and what a picture of nothing but noise is stored with. */
const qualities = [80, 40, 10] as const;

const widest = Math.max(...mediaWidths);

/** Pixels, row by row. */
interface Raw {
  readonly data: Buffer;
  readonly raw: {
    readonly width: number;
    readonly height: number;
    readonly channels: 1 | 2 | 3 | 4;
  };
}

export interface ResizeOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  load?(): Promise<Sharp>;
}

/**
 * Makes the sizes of a picture: upright, in sRGB, without anything but its pixels. Throws `unsupported_media_type` for
 * what is no JPEG, PNG or WebP, `too_large` above 50 megapixels, `bad_request` for one that is damaged, and
 * `images_unavailable` where there is nothing to do it with or it takes too long.
 */
export function createResizer({ clock, load = () => loadSharp() }: ResizeOptions) {
  return async function resize(bytes: Buffer): Promise<Sizes> {
    assertPicture(bytes);
    const sharp = await load();
    const began = clock.monotonic();
    try {
      const header = await readHeader(sharp, bytes);
      const pixels = await turnUpright(sharp, await shrink(sharp, bytes, header), header.turn);
      const encoded: [MediaWidth, Buffer][] = [];
      // One after the other: each is a copy of its own.
      for (const width of mediaWidths) encoded.push([width, await encode(sharp, pixels, width)]);
      return Object.fromEntries(encoded) as Sizes;
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw clock.monotonic() - began < longestStep * 1000 ? damaged(error) : tooSlow(error);
    }
  };
}

/** Throws `unsupported_media_type`. */
export function assertPicture(bytes: Buffer): void {
  if (pictureTypeOf(bytes) !== undefined) return;
  const what = bytes.length === 0 ? 'The body is empty.' : 'This is no JPEG, PNG or WebP.';
  throw new AppError('unsupported_media_type', `${what} Send the bytes of such a picture.`);
}

interface Header {
  readonly turn: Turn;
  /** Whether it brings a profile of its colours along. */
  readonly hasProfile: boolean;
}

/** Judges a picture by its header, before anything of it is decoded. */
async function readHeader(sharp: Sharp, bytes: Buffer): Promise<Header> {
  const header = await sharp(bytes, { limitInputPixels: false, failOn: 'error' }).metadata();
  const { width, height, orientation, icc } = header;
  if (width * height <= mostPixels) return { turn: turnOf(orientation), hasProfile: !!icc };
  const megapixels = Math.ceil((width * height) / 1e6);
  throw new AppError(
    'too_large',
    `The picture has ${width} x ${height} pixels, ${megapixels} megapixels: 50 are allowed. Make it smaller first.`,
  );
}

/** No wider than the widest size, once it is upright: what comes after works on little. */
async function shrink(sharp: Sharp, bytes: Buffer, { turn, hasProfile }: Header): Promise<Raw> {
  const [width, height] = isSideways(turn) ? [longestSide, widest] : [widest, longestSide];
  const small = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error' }).resize({
    width,
    height,
    fit: 'inside',
    withoutEnlargement: true,
  });
  // Without a profile the colours are sRGB already; sharp would take those of 16 bits for others.
  return pixelsOf(hasProfile ? small.withIccProfile('srgb', { attach: false }) : small);
}

/** Turned after it was made smaller: before, all of it would have to be in memory. */
async function turnUpright(sharp: Sharp, pixels: Raw, { degrees, isMirrored }: Turn): Promise<Raw> {
  if (degrees === 0 && !isMirrored) return pixels;
  const turned = degrees === 0 ? pixels : await pixelsOf(opened(sharp, pixels).rotate(degrees));
  return isMirrored ? pixelsOf(opened(sharp, turned).flop()) : turned;
}

function opened(sharp: Sharp, { data, raw }: Raw) {
  return sharp(data, { raw, limitInputPixels: false });
}

async function pixelsOf(picture: ReturnType<Sharp>): Promise<Raw> {
  const { data, info } = await picture
    .timeout({ seconds: longestStep })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { data, raw: { width, height, channels } };
}

async function encode(sharp: Sharp, pixels: Raw, width: MediaWidth): Promise<Buffer> {
  for (const quality of qualities) {
    const encoded = await opened(sharp, pixels)
      .resize({ width, withoutEnlargement: true })
      .webp({ quality })
      .timeout({ seconds: longestStep })
      .toBuffer();
    if (encoded.length <= mostSizeBytes) return encoded;
  }
  throw new AppError(
    'too_large',
    'The picture takes more than 8 MB at 1600 pixels. Crop it first.',
  );
}

function damaged(cause: unknown): AppError {
  return new AppError(
    'bad_request',
    'The picture is damaged or cut off: it cannot be read to its end. Save it again, and send that.',
    { cause },
  );
}

function tooSlow(cause: unknown): AppError {
  return new AppError(
    'images_unavailable',
    'The picture took too long to work on. Try again in 5 seconds, or make it smaller first.',
    { headers: { 'Retry-After': '5' }, cause },
  );
}

/** What turns a picture upright: first turned clockwise by so many degrees, then mirrored from left to right. */
interface Turn {
  readonly degrees: 0 | 90 | 180 | 270;
  readonly isMirrored: boolean;
}

const upright: Turn = { degrees: 0, isMirrored: false };

/** By the value of EXIF's Orientation (Exif 2.32, section 4.6.4). */
const turns: Readonly<Record<number, Turn>> = {
  2: { degrees: 0, isMirrored: true },
  3: { degrees: 180, isMirrored: false },
  4: { degrees: 180, isMirrored: true },
  5: { degrees: 90, isMirrored: true },
  6: { degrees: 90, isMirrored: false },
  7: { degrees: 270, isMirrored: true },
  8: { degrees: 270, isMirrored: false },
};

/** How a picture with this orientation is turned upright; not at all where it says nothing that makes sense. */
function turnOf(orientation: number | undefined): Turn {
  return turns[orientation ?? 1] ?? upright;
}

/** Whether width and height change places. */
function isSideways({ degrees }: Turn): boolean {
  return degrees === 90 || degrees === 270;
}
