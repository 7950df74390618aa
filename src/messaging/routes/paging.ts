import type { Reply } from '../../http/answer/reply.js';
import { etagOf } from '../../http/answer/representation.js';
import type { QueryParameters, ValuesOf } from '../../http/request/query.js';
import type { ApiRequest } from '../../http/route/route.js';
import { maxPageBytes, type PageExtent } from '../message-page.js';
import type { Page } from '../store.js';

/** Maximum and default number of entries on a page. */
export const maxPageSize = 1000;

/** Maximum ID in a path or query. Integers are exact up to this value. */
export const highestId = Number.MAX_SAFE_INTEGER;

/** Maximum value of `wait`, in seconds. Many proxies close an idle connection after 60 seconds. */
export const maxWait = 30;

/** Parameters of a list that is ordered by ID. */
export const pageQuery = {
  after: {
    type: 'integer',
    description: 'Return only entries with a higher ID. Pass the last ID of the previous page.',
    minimum: 0,
    maximum: highestId,
  },
  limit: {
    type: 'integer',
    description: `Maximum number of entries to return (default: ${maxPageSize}).`,
    minimum: 1,
    maximum: maxPageSize,
  },
} as const satisfies QueryParameters;

export function pageOf({ after = 0, limit = maxPageSize }: ValuesOf<typeof pageQuery>): Page {
  return { after, limit };
}

/** A response whose length is known before it is sent. */
export type BytesReply = Reply & { readonly content: Buffer; readonly etag: string };

/**
 * Returns a 200 response with a JSON body and its ETag. The body is a buffer, because a string would take twice the
 * memory until it is sent.
 */
export function bytesReply(json: object): BytesReply {
  const content = Buffer.from(JSON.stringify(json));
  const headers = { 'Content-Type': 'application/json; charset=utf-8' };
  return { status: 200, content, etag: etagOf(content), headers };
}

/** Total size of the responses being sent above which pages are short, in bytes. @bound */
const plenty = 128 * 1024 * 1024;

const usual: PageExtent = { limit: maxPageSize, bytes: maxPageBytes };

/** Limits of a page while the responses being sent exceed `plenty`. Clients read the next page as usual. @bound */
const scarce: PageExtent = {
  /** Maximum number of messages on a page while many responses are being sent. */
  limit: 100,
  /** Maximum size of the text on a page while many responses are being sent, in bytes. */
  bytes: 64 * 1024,
};

/** Estimated size of a response relative to its text. It also contains encrypted texts in hex, names and pictures. */
const answerPerText = 4;

export type PageRoom = ReturnType<typeof createPageRoom>;

/**
 * Limits the length of pages and lists according to the total size of the responses being sent to all clients. Above
 * `max` bytes, pages are short. A thousand clients that do not read their responses therefore take little more memory
 * than forty, and no request is rejected or delayed because of others.
 */
export function createPageRoom(max = plenty) {
  let used = 0;
  return {
    /** Reserves room for a request's page until the response has been sent. */
    take(request: Pick<ApiRequest, 'whenAnswered'>) {
      const extent = used + usual.bytes * answerPerText <= max ? usual : scarce;
      let reserved = extent.bytes * answerPerText;
      used += reserved;
      let isOver = false;
      request.whenAnswered(() => {
        isOver = true;
        used -= reserved;
      });
      return {
        /** The limits of the page. */
        extent,
        /** Reduces the reservation to the length of the response, in bytes. */
        settle(length: number): void {
          if (isOver) return;
          used += length - reserved;
          reserved = length;
        },
      };
    },
  };
}
