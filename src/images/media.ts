import { createHash } from 'node:crypto';
/** Widths in which a picture is stored, in pixels. Narrower pictures are not enlarged. */
export const mediaWidths = [400, 800, 1600] as const;

export type MediaWidth = (typeof mediaWidths)[number];

/** One stored size of a picture. `name` is the first 32 hexadecimal digits of the upload's SHA-256. */
export interface Media {
  readonly name: string;
  readonly width: MediaWidth;
}

/** Returns the path at which a size of a picture is served. */
export function mediaAddress({ name, width }: Media): string {
  return `/media/${mediaFile({ name, width })}`;
}

/** Returns the last part of that path, which is also the name of the file. */
export function mediaFile({ name, width }: Media): string {
  return `${name}-${width}.webp`;
}

/** Returns the paths of all sizes of a picture, by width. */
export function mediaAddresses(name: string): Readonly<Record<`${MediaWidth}`, string>> {
  return {
    400: mediaAddress({ name, width: 400 }),
    800: mediaAddress({ name, width: 800 }),
    1600: mediaAddress({ name, width: 1600 }),
  };
}

/** Parses a path that `mediaAddress` returned. Returns undefined for other paths. */
export function readMedia(address: string): Media | undefined {
  return address.startsWith('/media/') ? readMediaFile(address.slice('/media/'.length)) : undefined;
}

/** Parses the last part of such a path. */
export function readMediaFile(file: string): Media | undefined {
  const [, name, digits] = /^([0-9a-f]{32})-(400|800|1600)\.webp$/.exec(file) ?? [];
  const width = mediaWidths.find((each) => String(each) === digits);
  return name === undefined || width === undefined ? undefined : { name, width };
}

/** Returns the `srcset` of a product's image, or undefined for an image on another site. */
export function srcsetOf(image: string): string | undefined {
  const media = readMedia(image);
  if (media === undefined) return undefined;
  const { name } = media;
  return mediaWidths.map((width) => `${mediaAddress({ name, width })} ${width}w`).join(', ');
}

/** Returns the names of all pictures that a text refers to. */
export function mediaNamesIn(text: string): string[] {
  const found = text.matchAll(/\/media\/([0-9a-f]{32})-(?:400|800|1600)\.webp/g);
  return [...found].map(([, name = '']) => name);
}

/** Returns the SHA-256 hash of bytes in hexadecimal digits. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Returns the name of an uploaded picture. The same bytes always have the same name. */
export function imageNameFor(bytes: Uint8Array): string {
  return sha256Of(bytes).slice(0, 32);
}

/** Media types that can be uploaded. The type is determined by the content, not by its declaration. */
export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'] as const;

type PictureType = (typeof pictureTypes)[number];

const jpeg = [0xff, 0xd8, 0xff];
const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const riff = [...'RIFF'].map((letter) => letter.charCodeAt(0));
const webp = [...'WEBP'].map((letter) => letter.charCodeAt(0));

/** Returns the type of a picture based on its first bytes, or undefined for other content. */
export function pictureTypeOf(bytes: Uint8Array): PictureType | undefined {
  const has = (signature: readonly number[], at = 0) =>
    signature.every((byte, index) => bytes[at + index] === byte);
  if (has(jpeg)) return 'image/jpeg';
  if (has(png)) return 'image/png';
  // The file length is between the two signatures.
  if (has(riff) && has(webp, 8)) return 'image/webp';
  return undefined;
}
