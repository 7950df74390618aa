import { promisify } from 'node:util';
import { brotliCompress, crc32, deflateRaw, constants as zlib } from 'node:zlib';
import type { Coding } from '../request/accept-encoding.js';

/** A text that is compressed but for its end: `finish` puts a tail behind it and closes it. */
export interface OpenText {
  /** The whole text in its coding; the tail is in it uncompressed. */
  finish(tail: Buffer): Buffer;
}

/** How a text becomes one that is still open, by coding. Compressing is done off the event loop. */
export const openText: Readonly<Record<Coding, (text: Buffer) => Promise<OpenText>>> = {
  identity: async (text) => ({ finish: (tail) => Buffer.concat([text, tail]) }),
  br: async (text) => {
    const start = await promisify(brotliCompress)(text, {
      finishFlush: zlib.BROTLI_OPERATION_FLUSH,
      params: {
        [zlib.BROTLI_PARAM_QUALITY]: 6,
        [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT,
        [zlib.BROTLI_PARAM_SIZE_HINT]: text.length,
      },
    });
    return { finish: (tail) => Buffer.concat([start, ...metaBlocks(tail), lastMetaBlock]) };
  },
  gzip: async (text) => {
    const start = await promisify(deflateRaw)(text, { finishFlush: zlib.Z_SYNC_FLUSH });
    const crc = crc32(text);
    return {
      finish: (tail) =>
        Buffer.concat([
          gzipHeader,
          start,
          ...storedBlocks(tail),
          // Of no bytes at all, zlib's checksum begins again.
          gzipTrailer(tail.length === 0 ? crc : crc32(tail, crc), text.length + tail.length),
        ]),
    };
  },
};

/** ISLAST and ISLASTEMPTY (RFC 7932 section 9.2). */
const lastMetaBlock = Buffer.from([0b11]);

/** What fits into one block that is not compressed, in bytes; gzip's length has one value less. */
const metaBlockSize = 65_536;
const storedBlockSize = 65_535;

/** Bytes as uncompressed meta-blocks: ISLAST 0, MNIBBLES 4, MLEN - 1, ISUNCOMPRESSED 1, filled up to a byte. */
function* metaBlocks(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += metaBlockSize) {
    const part = bytes.subarray(start, start + metaBlockSize);
    const header = Buffer.alloc(3);
    header.writeUIntLE(((part.length - 1) << 3) | (1 << 19), 0, 3);
    yield header;
    yield part;
  }
}

/** Bytes as stored blocks, the last of which is marked as the last one (RFC 1951 section 3.2.4); at least one. */
function* storedBlocks(bytes: Buffer): Generator<Buffer> {
  let start = 0;
  do {
    const part = bytes.subarray(start, start + storedBlockSize);
    start += part.length;
    const header = Buffer.alloc(5);
    header.writeUInt8(start === bytes.length ? 1 : 0, 0);
    header.writeUInt16LE(part.length, 1);
    header.writeUInt16LE(part.length ^ 0xffff, 3);
    yield header;
    yield part;
  } while (start < bytes.length);
}

/** Deflate, no flags, no time, of an unknown system (RFC 1952 section 2.3). */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);

function gzipTrailer(crc: number, size: number): Buffer {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc, 0);
  trailer.writeUInt32LE(size % 2 ** 32, 4);
  return trailer;
}
