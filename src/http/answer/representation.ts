import { LRUCache } from 'lru-cache';
import { createFlights } from '../../base/single-flight.js';
import { stringifyExact } from '../../json/exact-json.js';
import type { Coding } from '../request/accept-encoding.js';
import type { Compress } from './compression.js';
import { etagOf } from './etag.js';

/** A text, page or JSON document that is made once and can be sent many times. */
export interface Representation {
  readonly bytes: Buffer;
  /** Strong, of the bytes as they are, quoted. */
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Returns the bytes in a coding, compressed when that coding is first requested; concurrent requests share the
   * work. Undefined if they could not be compressed; a later request tries again.
   */
  encoded(
    coding: Exclude<Coding, 'identity'>,
    compress: Compress,
  ): Buffer | Promise<Buffer | undefined>;
}

/** Returns the representation of a text with these headers. */
export function represent(
  content: Buffer | string,
  headers: Readonly<Record<string, string>>,
): Representation {
  const bytes = Buffer.from(content);
  const forms = new Map<Coding, Buffer>();
  const join = createFlights<Coding, Buffer | undefined>();
  return {
    bytes,
    etag: etagOf(bytes),
    headers,
    encoded(coding, compress) {
      const make = async () => {
        const form = await compress(bytes, coding);
        if (form) forms.set(coding, form);
        return form;
      };
      return forms.get(coding) ?? join(coding, make);
    },
  };
}

const jsonHeaders = {
  'Content-Type': 'application/json; charset=utf-8',
  // Clients may keep it but revalidate every time, which its ETag makes cheap.
  'Cache-Control': 'no-cache',
};

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
