import { deflateSync } from 'node:zlib';
import sharp, { type Color, type Sharp } from 'sharp';

/** Returns a picture of one color. The test chooses its format. */
export function plain(width: number, height: number, background: Color = '#c83232') {
  return sharp({ create: { width, height, channels: 3, background } });
}

/** Returns a small picture that is different for each seed. */
export function pictureOf(seed: number): Promise<Buffer> {
  return plain(40, 30, { r: seed % 256, g: seed >> 8, b: 7 })
    .png()
    .toBuffer();
}

/** Returns an upright blue picture of 40 x 20 pixels. Its top left quarter is red. */
export async function redCorner(): Promise<Sharp> {
  const red = await plain(20, 10, '#ff0000').png().toBuffer();
  const whole = plain(40, 20, '#0000ff').composite([{ input: red, left: 0, top: 0 }]);
  return sharp(await whole.png().toBuffer());
}

/** Returns a chunk of a PNG. */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

function crc32(bytes: Buffer): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ -1) >>> 0;
}

/** Returns a gray PNG with this size in its header and this number of rows of zeros. */
export function madePng(width: number, height: number, rows = height): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Returns the color of a pixel: red, green, blue and alpha. */
export async function pixelAt(picture: Buffer, left: number, top: number): Promise<number[]> {
  const { data } = await sharp(picture)
    .ensureAlpha()
    .extract({ left, top, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [...data];
}
