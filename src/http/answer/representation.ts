import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { AppError } from '../../base/errors.js';
import { stringifyExact } from '../../json/exact-json.js';
import type { Coding } from '../request/negotiation.js';

type Headers = Readonly<Record<string, string>>;

/** A text, page or JSON document that is created once and can be sent many times. */
export interface Representation {
  readonly bytes: Buffer;
  /** The quoted strong tag of the uncompressed bytes. */
  readonly etag: string;
  /** The headers of the uncompressed form. */
  readonly headers: Headers;
  readonly isCompressible: boolean;
  /**
   * Returns the form to send in a coding. The first request for a coding compresses the bytes, and concurrent requests
   * share the result. If compression fails, returns the uncompressed form, and a later request retries.
   */
  form(coding: Coding, compress: Compress): Form | Promise<Form>;
}

/** A representation in one coding, with all its headers. */
export interface Form {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly headers: Headers;
  /** The headers of a 304 response, which has no body. */
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

function makeForm(base: Headers, bytes: Buffer, strongEtag: string, coding: Coding): Form {
  const { 'Content-Type': type, ...others } = base;
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

/** The headers of a JSON body that clients may cache but must revalidate every time, using its ETag. */
export const jsonHeaders = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-cache',
} as const;

/** Returns a JSON body as a representation. */
export function representJson(json: unknown): Representation {
  return represent(stringifyExact(json), jsonHeaders);
}

/** Maximum size of all representations in one cache, in bytes. The least recently used are dropped first. */
const maxBytes = 32 * 1024 * 1024;

/** Size of an entry relative to its bytes. All compressed forms together add about half. */
const sizeWithForms = 1.5;

/** Returns the cached representation for a key, or creates it with `make`. */
export type RepresentationCache = (
  key: string,
  make: () => Representation | Promise<Representation>,
) => Representation | Promise<Representation>;

/**
 * Creates a cache of representations of the data at one moment. When the data changes, the owner replaces the cache.
 * Representations that are still being created then are added to the old one.
 */
export function cacheRepresentations(): RepresentationCache {
  const known = new LRUCache<string, Representation>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => Math.ceil(bytes.length * sizeWithForms) + 1,
  });
  async function makeAndKeep(key: string, make: Parameters<RepresentationCache>[1]) {
    const made = await make();
    known.set(key, made);
    return made;
  }
  return (key, make) => known.get(key) ?? makeAndKeep(key, make);
}

/** Returns the strong entity tag of these bytes, quoted for the header. */
export function etagOf(content: Buffer | string): string {
  return `"${createHash('sha1').update(content).digest('base64url')}"`;
}

/** Returns whether an If-None-Match header names this tag (weak comparison, RFC 9110 section 13.1.2). */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true;
  if (!ifNoneMatch.includes(',') && !ifNoneMatch.startsWith('W/')) return false;
  const bare = etag.replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === bare);
}

/** Returns the tag of a representation in a coding. */
export function etagIn(coding: Coding, etag: string): string {
  return coding === 'identity' ? etag : etag.replace(/"$/, `-${coding}"`);
}

/** The end of the tag of a compressed response. */
const codings = /-(?:br|gzip)"$/;

/** Returns whether an If-None-Match header names the version with this tag, in any coding. */
export function namesVersion(ifNoneMatch: string, etag: string): boolean {
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(codings, '"'));
  return tags.some((tag) => matchesEtag(tag, etag));
}

/**
 * Throws `precondition_failed` if If-Match does not name the resource's current tag, `etag` (strong comparison, RFC
 * 9110 section 13.1.1). An absent header matches everything.
 */
export function assertMatch(ifMatch: string, etag: string): void {
  if (ifMatch === '' || ifMatch.trim() === '*') return;
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(codings, '"'));
  if (tags.includes(etag)) return;
  throw new AppError('precondition_failed', 'Someone else has changed this in the meantime.', {
    hint: 'Read it again and send its current ETag in If-Match.',
    headers: { ETag: etag },
  });
}

/** Size above which a body is compressed, in bytes. For smaller bodies, the additional header outweighs the saving. */
const minSize = 1024;

/** Maximum number of responses that are compressed concurrently. The same four threads write files. */
const maxConcurrent = 2;
/** Maximum number of responses that wait to be compressed. Further ones are sent uncompressed. */
const maxWaiting = 200;

/** Media types of text, including SVG. Other images and fonts are already compressed. */
const textTypes = /^text\/|[/+](?:json|xml|javascript)\b/i;

/** Returns whether a body with these headers may be compressed and is worth compressing: a text of more than 1 KB. */
export function isCompressible(
  headers: Readonly<Record<string, string>>,
  body: Buffer | string,
): boolean {
  if (Buffer.byteLength(body) <= minSize || !textTypes.test(headers['Content-Type'] ?? '')) {
    return false;
  }
  // `no-transform` also prohibits compression by this server.
  const mustStay = /\bno-transform\b/i.test(headers['Cache-Control'] ?? '');
  return !mustStay && headers['Content-Encoding'] === undefined;
}

/** Compression levels: lower for a body that is sent once, higher for one that is cached. */
const levels = { once: 4, kept: 6 } as const;

/** Compresses a body. Returns undefined if too many bodies are waiting or compression fails. */
type Compress = (
  body: Buffer | string,
  coding: Exclude<Coding, 'identity'>,
  sent?: keyof typeof levels,
) => Promise<Buffer | undefined>;

/** Returns a function that compresses bodies outside the event loop, a few at a time. */
export function createCompression(): Compress {
  const limit = pLimit(maxConcurrent);
  return async function compress(body, coding, sent = 'once') {
    if (limit.pendingCount >= maxWaiting) return undefined;
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
