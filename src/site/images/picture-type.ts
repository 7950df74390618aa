/** Media types of the pictures that are taken; anything else is refused, whatever it is said to be. */
export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'] as const;

export type PictureType = (typeof pictureTypes)[number];

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
