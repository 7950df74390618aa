import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import pLimit from 'p-limit';
import type { Coding } from '../request/accept-encoding.js';

/** Below this, headers weigh more than what is saved (bytes). */
const leastSize = 1024;

/** The most answers that are compressed at once: files are written by the same four threads. */
const mostAtOnce = 2;
/** The most answers that wait to be compressed; further ones are sent as they are. */
const mostWaiting = 200;

/** Texts by their media types, among them the XML of drawings; pictures and fonts are compressed in themselves. */
const textTypes = /^text\/|[/+](?:json|xml|javascript)\b/i;

/** Returns whether a body with these headers may be compressed and is worth it: a text of more than 1 KB. */
export function isCompressible(
  headers: Readonly<Record<string, string>>,
  body: Buffer | string,
): boolean {
  if (!isLong(body) || !textTypes.test(headers['Content-Type'] ?? '')) return false;
  // `no-transform`: nobody on the way, ourselves included, may send it as something else.
  const mustStay = /\bno-transform\b/i.test(headers['Cache-Control'] ?? '');
  return !mustStay && headers['Content-Encoding'] === undefined;
}

function isLong(body: Buffer | string): boolean {
  if (body.length > leastSize) return true;
  // A character has three bytes at most, a pair of surrogates four.
  return (
    typeof body === 'string' && body.length * 3 > leastSize && Buffer.byteLength(body) > leastSize
  );
}

/** How much work to put into the size: little for a body that is sent once, more for one that is kept. */
const levels = { once: 4, kept: 6 } as const;

/** Compresses a body; undefined if it is to be sent as it is: too many are waiting, or memory is short. */
export type Compress = (
  body: Buffer | string,
  coding: Exclude<Coding, 'identity'>,
  sent?: keyof typeof levels,
) => Promise<Buffer | undefined>;

/** Returns a function that compresses bodies off the event loop, a few at a time. */
export function createCompression(): Compress {
  const limit = pLimit(mostAtOnce);
  return async function compress(body, coding, sent = 'once') {
    if (limit.pendingCount >= mostWaiting) return undefined;
    return limit(() => compressors[coding](Buffer.from(body), levels[sent])).catch(() => undefined);
  };
}

const compressors = {
  br: (bytes: Buffer, level: number) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [zlib.BROTLI_PARAM_QUALITY]: level,
        [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT,
        [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes: Buffer, level: number) => promisify(gzip)(bytes, { level }),
};
