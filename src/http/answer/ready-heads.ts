import type { Coding } from '../request/accept-encoding.js';
import { isCodable, withEncoding } from './coding.js';
import { etagIn } from './etag.js';
import type { ReadyText } from './ready-text.js';
import type { ReadyReply } from './reply.js';
import { headersOfAnswers, headersOfPages } from './security-headers.js';

/** The headers of a ready text in one coding: names and values take turns, as Node.js sends them fastest. */
export interface ReadyHead {
  readonly etag: string;
  /** Of the whole answer, but for its length. */
  readonly whole: readonly string[];
  /** Of a 304, which says nothing of the body. */
  readonly unchanged: readonly string[];
}

export interface HeadOptions {
  readonly coding: Coding;
  /** Whether it is a page for people. */
  readonly isPage: boolean;
  /** Whether its client came over https. */
  readonly isHttps: boolean;
}

/** Headers of texts that are ready, put together once for each way to send them. */
export function createReadyHeads() {
  const known = new WeakMap<ReadyText, { codable: boolean; heads: Map<string, ReadyHead> }>();

  /** What is known of a text, which goes out with the same headers always. */
  function factsOf({ ready, headers = {} }: ReadyReply) {
    const before = known.get(ready);
    if (before) return before;
    const codable = isCodable((name) => headers[name] ?? '', ready.bytes);
    const facts = { codable, heads: new Map<string, ReadyHead>() };
    known.set(ready, facts);
    return facts;
  }

  return {
    isCodable: (reply: ReadyReply): boolean => factsOf(reply).codable,
    headOf(reply: ReadyReply, options: HeadOptions): ReadyHead {
      const { codable, heads } = factsOf(reply);
      const key = `${options.coding} ${options.isHttps} ${Boolean(reply.tail)}`;
      const before = heads.get(key);
      if (before) return before;
      const head = makeHead(reply, options, codable);
      heads.set(key, head);
      return head;
    },
  };
}

function makeHead(reply: ReadyReply, options: HeadOptions, codable: boolean): ReadyHead {
  const { coding, isPage, isHttps } = options;
  const { ready, tail = '', headers = {}, etag: own = ready.etag } = reply;
  const tag = etagIn(coding, own);
  const etag = tail === '' ? tag : `W/${tag}`;
  const all: Record<string, string> = {
    ...headersOfAnswers(isHttps),
    ...(isPage ? headersOfPages : {}),
    'Cache-Control': 'no-store',
    ...headers,
    ...(codable ? { Vary: withEncoding(headers.Vary ?? '') } : {}),
    ETag: etag,
  };
  const { 'Content-Type': type, ...others } = all;
  const ofBody = {
    ...(type === undefined ? {} : { 'Content-Type': type }),
    ...(coding === 'identity' ? {} : { 'Content-Encoding': coding }),
  };
  return {
    etag,
    whole: Object.entries({ ...others, ...ofBody }).flat(),
    unchanged: Object.entries(others).flat(),
  };
}
