import { createHash } from 'node:crypto';
/** Widths that a picture is stored in, in pixels; one that is narrower itself is never enlarged. */
export const mediaWidths = [400, 800, 1600] as const;

export type MediaWidth = (typeof mediaWidths)[number];

/** One stored size of a picture. `name`: the first 32 hexadecimal digits of the SHA-256 of what was uploaded. */
export interface Media {
  readonly name: string;
  readonly width: MediaWidth;
}

/** Where a size of a picture is served: a path on this site. */
export function mediaAddress({ name, width }: Media): string {
  return `/media/${mediaFile({ name, width })}`;
}

/** The last part of that path, which is also the name of the file that holds it. */
export function mediaFile({ name, width }: Media): string {
  return `${name}-${width}.webp`;
}

/** The addresses of all sizes of a picture, by their width. */
export function mediaAddresses(name: string): Readonly<Record<`${MediaWidth}`, string>> {
  return {
    400: mediaAddress({ name, width: 400 }),
    800: mediaAddress({ name, width: 800 }),
    1600: mediaAddress({ name, width: 1600 }),
  };
}

/** What an address names, written exactly as `mediaAddress` writes it; undefined for any other. */
export function readMedia(address: string): Media | undefined {
  return address.startsWith('/media/') ? readMediaFile(address.slice('/media/'.length)) : undefined;
}

/** The same of the last part alone. */
export function readMediaFile(file: string): Media | undefined {
  const [, name, digits] = /^([0-9a-f]{32})-(400|800|1600)\.webp$/.exec(file) ?? [];
  const width = mediaWidths.find((each) => String(each) === digits);
  return name === undefined || width === undefined ? undefined : { name, width };
}

/** The `srcset` of a product's image where it is one of ours; undefined for a picture from elsewhere. */
export function srcsetOf(image: string): string | undefined {
  const media = readMedia(image);
  if (media === undefined) return undefined;
  const { name } = media;
  return mediaWidths.map((width) => `${mediaAddress({ name, width })} ${width}w`).join(', ');
}

/** Names of the pictures whose addresses stand anywhere in a text. */
export function mediaNamesIn(text: string): string[] {
  const found = text.matchAll(/\/media\/([0-9a-f]{32})-(?:400|800|1600)\.webp/g);
  return [...found].map(([, name = '']) => name);
}

/** The SHA-256 of bytes, in hexadecimal digits. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The name of an uploaded picture: the same bytes have the same name, whenever and wherever they come. */
export function imageNameFor(bytes: Uint8Array): string {
  return sha256Of(bytes).slice(0, 32);
}

/** Media types of the pictures that are taken; anything else is refused, whatever it is said to be. */
export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'] as const;

type PictureType = (typeof pictureTypes)[number];

const jpeg = [0xff, 0xd8, 0xff];
const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const riff = [...'RIFF'].map((letter) => letter.charCodeAt(0));
const webp = [...'WEBP'].map((letter) => letter.charCodeAt(0));

/** What the first bytes of a file say it is; undefined where it is none of our types. */
export function pictureTypeOf(bytes: Uint8Array): PictureType | undefined {
  const has = (signature: readonly number[], at = 0) =>
    signature.every((byte, index) => bytes[at + index] === byte);
  if (has(jpeg)) return 'image/jpeg';
  if (has(png)) return 'image/png';
  // Between the two stands the length.
  if (has(riff) && has(webp, 8)) return 'image/webp';
  return undefined;
}
