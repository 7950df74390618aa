import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { AppError } from '../../base/errors.js';
import { stringifyExact } from '../../json/exact-json.js';
import type { Coding } from '../request/negotiation.js';

type Headers = Readonly<Record<string, string>>;

/** A text, page or JSON document that is made once and can be sent many times. */
export interface Representation {
  readonly bytes: Buffer;
  /** Strong, of the bytes as they are, quoted. */
  readonly etag: string;
  /** The headers that it was made with. */
  readonly headers: Headers;
  readonly isCompressible: boolean;
  /**
   * Returns what is sent in a coding. It is compressed when that coding is first requested; concurrent requests share the
   * work. If it cannot be compressed, the form is the uncompressed one, and a later request tries again.
   */
  form(coding: Coding, compress: Compress): Form | Promise<Form>;
}

/** A representation in one coding, with all its headers put together. */
export interface Form {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly headers: Headers;
  /** The headers of a 304, which describe no body. */
  readonly unchanged: Headers;
}

/** Returns the representation of a text with these headers. */
export function represent(content: Buffer | string, headers: Headers): Representation {
  const bytes = Buffer.from(content);
  const etag = etagOf(bytes);
  const canCompress = isCompressible(headers, bytes);
  const varied = canCompress ? { ...headers, Vary: varyByCoding(headers.Vary) } : headers;
  const plain = makeForm(varied, bytes, etag, 'identity');
  const forms = new Map<Coding, Form | Promise<Form>>();
  return {
    bytes,
    etag,
    headers,
    isCompressible: canCompress,
    form(coding, compress) {
      if (coding === 'identity') return plain;
      const known = forms.get(coding);
      if (known) return known;
      const making = compress(bytes, coding, 'kept').then((coded) => {
        if (coded) forms.set(coding, makeForm(varied, coded, etag, coding));
        else forms.delete(coding);
        return forms.get(coding) ?? plain;
      });
      forms.set(coding, making);
      return making;
    },
  };
}

function varyByCoding(before: string | undefined): string {
  return before === undefined ? 'Accept-Encoding' : `${before}, Accept-Encoding`;
}

function makeForm(given: Headers, bytes: Buffer, strongEtag: string, coding: Coding): Form {
  const { 'Content-Type': type, ...others } = given;
  const etag = etagIn(coding, strongEtag);
  const unchanged = { ...others, ETag: etag };
  const headers = {
    ...unchanged,
    ...(type === undefined ? {} : { 'Content-Type': type }),
    ...(coding === 'identity' ? {} : { 'Content-Encoding': coding }),
    'Content-Length': String(bytes.length),
  };
  return { bytes, etag, headers, unchanged };
}

/** The headers of a JSON body that clients may keep but revalidate every time, which its ETag makes cheap. */
export const jsonHeaders = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-cache',
} as const;

/** Returns a JSON body as a representation. */
export function representJson(json: unknown): Representation {
  return represent(stringifyExact(json), jsonHeaders);
}

/** Bytes of all representations that one cache keeps; the least recently used are dropped first. */
const mostBytes = 32 * 1024 * 1024;

/** Compressed forms are kept beside the bytes, and take half of their size together. */
const sizeWithForms = 1.5;

/** Returns the representation with a key, which `make` gives if it is not kept yet. */
export type RepresentationCache = (
  key: string,
  make: () => Representation | Promise<Representation>,
) => Representation | Promise<Representation>;

/**
 * Returns a cache of what is made from data as it is at one moment. Whoever owns it replaces it when the data changes:
 * what is still being made then goes into the old one.
 */
export function cacheRepresentations(): RepresentationCache {
  const known = new LRUCache<string, Representation>({
    maxSize: mostBytes,
    sizeCalculation: ({ bytes }) => Math.ceil(bytes.length * sizeWithForms) + 1,
  });
  async function makeAndKeep(key: string, make: Parameters<RepresentationCache>[1]) {
    const made = await make();
    known.set(key, made);
    return made;
  }
  return (key, make) => known.get(key) ?? makeAndKeep(key, make);
}

/** A strong entity tag of these bytes, quoted as the header wants it. */
export function etagOf(content: Buffer | string): string {
  return `"${createHash('sha1').update(content).digest('base64url')}"`;
}

/** Whether an If-None-Match header names this tag (weak comparison, RFC 9110 section 13.1.2). */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true;
  if (!ifNoneMatch.includes(',') && !ifNoneMatch.startsWith('W/')) return false;
  const bare = etag.replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === bare);
}

/** The tag of a thing whose bytes are sent in a coding. */
export function etagIn(coding: Coding, etag: string): string {
  return coding === 'identity' ? etag : etag.replace(/"$/, `-${coding}"`);
}

/** What a tag ends with where the bytes were compressed on their way: another coding is another representation. */
const codings = /-(?:br|gzip)"$/;

/**
 * Throws `precondition_failed` where If-Match names none of a thing's tags (strong comparison, RFC 9110 section 13.1.1).
 * A header that is absent lets everything through. `etag`: the tag of the thing as it is stored now.
 */
export function assertMatch(ifMatch: string, etag: string): void {
  if (ifMatch === '' || ifMatch.trim() === '*') return;
  const given = ifMatch.split(',').map((tag) => tag.trim().replace(codings, '"'));
  if (given.includes(etag)) return;
  throw new AppError('precondition_failed', 'Somebody else has changed this meanwhile.', {
    hint: 'Read it again, and send its newest ETag in If-Match.',
    headers: { ETag: etag },
  });
}

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
type Compress = (
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
