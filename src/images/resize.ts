import type sharp from 'sharp';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import { type MediaWidth, mediaWidths, pictureTypeOf } from './media.js';

type Sharp = typeof sharp;

/** Loaders of the accepted types. Sharp's other loaders are disabled to reduce the attack surface. */
const decoders = ['Jpeg', 'Png', 'Webp'].map((name) => `VipsForeignLoad${name}Buffer`);

/**
 * Loads sharp, which decodes and encodes pictures. It is loaded for the first picture, because its binaries are large
 * and not available for every machine. Throws `images_unavailable` if it cannot be loaded.
 */
export async function loadSharp(load: () => Promise<{ default: Sharp }> = importSharp) {
  try {
    const { default: found } = await load();
    // Use one thread and no cache.
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

/** A picture as WebP in every width. */
export type Sizes = Readonly<Record<MediaWidth, Buffer>>;

/** Maximum size of a picture, in pixels. Decoding an interlaced PNG takes four to eight bytes per pixel. */
const maxPixels = 50_000_000;
/** Maximum time of one processing step, in seconds. */
const maxStepLength = 30;
/** Maximum length of a side of a WebP picture, in pixels. */
const maxSide = 16_383;
/** Maximum size of a stored picture, in bytes. In base64, it must fit on a line of an export. */
const maxSizeBytes = 8 * 1024 * 1024;

/**
 * Qualities that are used in turn until the result fits. The first looks like the original. With the last, even noise
 * fits.
 */
const qualities = [80, 40, 10] as const;

const widest = Math.max(...mediaWidths);

export interface ResizeOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  load?(): Promise<Sharp>;
}

/**
 * Returns a function that creates the sizes of a picture, upright, in sRGB and without metadata. It throws
 * `unsupported_media_type` unless the picture is a JPEG, PNG or WebP, `too_large` above 50 megapixels, `bad_request` if
 * it is damaged, and `images_unavailable` if sharp is missing or too slow.
 */
export function createResizer({ clock, load = () => loadSharp() }: ResizeOptions) {
  return async function resize(bytes: Buffer): Promise<Sizes> {
    assertPicture(bytes);
    const sharp = await load();
    const began = clock.monotonic();
    try {
      const pixels = await shrink(sharp, bytes, await hasProfile(sharp, bytes));
      const encoded: [MediaWidth, Buffer][] = [];
      // Encode sequentially, because each size requires a copy of the pixels.
      for (const width of mediaWidths) encoded.push([width, await encode(sharp, pixels, width)]);
      return Object.fromEntries(encoded) as Sizes;
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw clock.monotonic() - began < maxStepLength * 1000 ? damaged(error) : tooSlow(error);
    }
  };
}

/** Throws `unsupported_media_type` unless the bytes are a JPEG, PNG or WebP. */
export function assertPicture(bytes: Buffer): void {
  if (pictureTypeOf(bytes) !== undefined) return;
  const problem =
    bytes.length === 0 ? 'The body is empty.' : 'The body is not a JPEG, PNG or WebP picture.';
  throw new AppError('unsupported_media_type', `${problem} Send a picture of one of these types.`);
}

/**
 * Returns true if a picture has a color profile. Checks the size in the header and throws `too_large` before anything
 * is decoded.
 */
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

/** Rotates a picture upright and shrinks it to the widest size, so that later steps process less data. */
async function shrink(sharp: Sharp, bytes: Buffer, isProfiled: boolean) {
  const small = sharp(bytes, {
    limitInputPixels: maxPixels,
    failOn: 'error',
    autoOrient: true,
  }).resize({ width: widest, height: maxSide, fit: 'inside', withoutEnlargement: true });
  // Without a profile, the colors are sRGB already, and sharp would misinterpret 16-bit colors.
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
    'The picture is larger than 8 MB at a width of 1600 pixels. Crop it and upload it again.',
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
