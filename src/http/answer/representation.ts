import { LRUCache } from 'lru-cache';
import { stringifyExact } from '../../json/exact-json.js';
import type { Coding } from '../request/accept-encoding.js';
import { type Compress, isCompressible } from './compression.js';
import { etagIn, etagOf } from './etag.js';

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
