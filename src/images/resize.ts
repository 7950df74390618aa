import type sharp from 'sharp';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import { type MediaWidth, mediaWidths, pictureTypeOf } from './media.js';

type Sharp = typeof sharp;

/** Loaders of the accepted types; sharp's others are disabled, because each could be attacked. */
const decoders = ['Jpeg', 'Png', 'Webp'].map((name) => `VipsForeignLoad${name}Buffer`);

/**
 * Loads the package that decodes and encodes pictures when the first picture comes: its binaries are large and
 * not available for every machine. Throws `images_unavailable` if it cannot be loaded.
 */
export async function loadSharp(load: () => Promise<{ default: Sharp }> = importSharp) {
  try {
    const { default: found } = await load();
    // No cache, and one thread.
    found.cache(false);
    found.concurrency(1);
    found.block({ operation: ['VipsForeignLoad'] });
    found.unblock({ operation: decoders });
    return found;
  } catch (cause) {
    throw new AppError(
      'images_unavailable',
      'Pictures cannot be uploaded because the package sharp, which processes them, cannot be loaded.',
      {
        hint: 'Install msgsite with its optional packages (npm ci --include=optional) on this machine. Until then, use the address of a picture on another site.',
        cause,
      },
    );
  }
}

const importSharp = () => import('sharp');

/** A picture at every width, as WebP. */
export type Sizes = Readonly<Record<MediaWidth, Buffer>>;

/** Pixels of a picture; decoding an interlaced PNG takes four to eight bytes for each. */
const maxPixels = 50_000_000;
/** Seconds that one step of processing a picture may take. */
const maxStepLength = 30;
/** Pixels of a WebP's longer side. */
const maxSide = 16_383;
/** Bytes of one stored size; in base64 it must fit on a line of an export. */
const maxSizeBytes = 8 * 1024 * 1024;

/** Qualities to try until a size fits: the first looks like the original, the last fits even noise. */
const qualities = [80, 40, 10] as const;

const widest = Math.max(...mediaWidths);

export interface ResizeOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  load?(): Promise<Sharp>;
}

/**
 * Returns a function that makes the sizes of a picture: upright, in sRGB, without metadata. It throws
 * `unsupported_media_type` unless the picture is a JPEG, PNG or WebP, `too_large` above 50 megapixels,
 * `bad_request` if it is damaged, and `images_unavailable` if sharp is missing or too slow.
 */
export function createResizer({ clock, load = () => loadSharp() }: ResizeOptions) {
  return async function resize(bytes: Buffer): Promise<Sizes> {
    assertPicture(bytes);
    const sharp = await load();
    const began = clock.monotonic();
    try {
      const pixels = await shrink(sharp, bytes, await hasProfile(sharp, bytes));
      const encoded: [MediaWidth, Buffer][] = [];
      // Sequentially, because each needs its own copy.
      for (const width of mediaWidths) encoded.push([width, await encode(sharp, pixels, width)]);
      return Object.fromEntries(encoded) as Sizes;
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw clock.monotonic() - began < maxStepLength * 1000 ? damaged(error) : tooSlow(error);
    }
  };
}

/** Throws `unsupported_media_type` for anything that is not an accepted picture. */
export function assertPicture(bytes: Buffer): void {
  if (pictureTypeOf(bytes) !== undefined) return;
  const what = bytes.length === 0 ? 'The body is empty.' : 'The body is not a JPEG, PNG or WebP.';
  throw new AppError(
    'unsupported_media_type',
    `${what} Send the bytes of a picture of one of these types.`,
  );
}

/** Returns true if a picture has a colour profile. Throws `too_large` by its header, before anything is decoded. */
async function hasProfile(sharp: Sharp, bytes: Buffer): Promise<boolean> {
  const header = await sharp(bytes, { limitInputPixels: false, failOn: 'error' }).metadata();
  const { width, height, icc } = header;
  if (width * height <= maxPixels) return icc !== undefined;
  const megapixels = Math.ceil((width * height) / 1e6);
  throw new AppError(
    'too_large',
    `The picture has ${width} x ${height} pixels, which is ${megapixels} megapixels; the limit is 50. Make it smaller and upload it again.`,
  );
}

type Pixels = Awaited<ReturnType<typeof shrink>>;

/** Turns a picture upright and shrinks it to the widest size, so that the next steps process less. */
async function shrink(sharp: Sharp, bytes: Buffer, isProfiled: boolean) {
  const small = sharp(bytes, {
    limitInputPixels: maxPixels,
    failOn: 'error',
    autoOrient: true,
  }).resize({ width: widest, height: maxSide, fit: 'inside', withoutEnlargement: true });
  // Without a profile the colours are sRGB; sharp would misinterpret 16-bit colours.
  const converted = isProfiled ? small.withIccProfile('srgb', { attach: false }) : small;
  return converted.timeout({ seconds: maxStepLength }).raw().toBuffer({ resolveWithObject: true });
}

async function encode(sharp: Sharp, { data, info }: Pixels, width: MediaWidth): Promise<Buffer> {
  for (const quality of qualities) {
    const encoded = await sharp(data, { raw: info, limitInputPixels: false })
      .resize({ width, withoutEnlargement: true })
      .webp({ quality })
      .timeout({ seconds: maxStepLength })
      .toBuffer();
    if (encoded.length <= maxSizeBytes) return encoded;
  }
  throw new AppError(
    'too_large',
    'The picture takes more than 8 MB at 1600 pixels. Crop it and upload it again.',
  );
}

function damaged(cause: unknown): AppError {
  return new AppError(
    'bad_request',
    'The picture is damaged or incomplete. Save it again and upload the new file.',
    { cause },
  );
}

function tooSlow(cause: unknown): AppError {
  return new AppError(
    'images_unavailable',
    'Processing the picture took too long. Try again in 5 seconds, or make it smaller.',
    { headers: { 'Retry-After': '5' }, cause },
  );
}
