import type { Reply } from '../../http/answer/reply.js';
import { etagOf } from '../../http/answer/representation.js';
import type { QueryParameters, ValuesOf } from '../../http/request/query.js';
import type { ApiRequest } from '../../http/route/route.js';
import { maxPageBytes, type PageExtent } from '../message-page.js';
import type { Page } from '../store.js';

/** Entries of a page, at most and by default. */
export const maxPageSize = 1000;

/** The highest ID in a path or query: whole numbers are exact up to it. */
export const highestId = Number.MAX_SAFE_INTEGER;

/** Seconds of the longest `wait`; many proxies close a silent connection after 60. */
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
    description: `The most entries to return (default: ${maxPageSize}).`,
    minimum: 1,
    maximum: maxPageSize,
  },
} as const satisfies QueryParameters;

export function pageOf({ after = 0, limit = maxPageSize }: ValuesOf<typeof pageQuery>): Page {
  return { after, limit };
}

/** An answer whose length is known before it is sent. */
export type BytesReply = Reply & { readonly content: Buffer; readonly etag: string };

/** Returns a 200 with a JSON body and its ETag. The body is bytes: a string takes twice the memory until it is sent. */
export function bytesReply(json: object): BytesReply {
  const content = Buffer.from(JSON.stringify(json));
  const headers = { 'Content-Type': 'application/json; charset=utf-8' };
  return { status: 200, content, etag: etagOf(content), headers };
}

/** Bytes of answers being sent up to which pages are as long as requested. @bound */
const plenty = 128 * 1024 * 1024;

const usual: PageExtent = { limit: maxPageSize, bytes: maxPageBytes };

/** Limits of a page while more than `plenty` is being sent. Clients read the next page as usual. @bound */
const scarce: PageExtent = {
  /** Messages of a page while many answers are being sent. */
  limit: 100,
  /** Bytes of text on a page while many answers are being sent. */
  bytes: 64 * 1024,
};

/** Bytes of an answer for each byte of text: it also has encrypted texts in hex digits, names and pictures. */
const answerPerText = 4;

export type PageRoom = ReturnType<typeof createPageRoom>;

/**
 * Limits the length of pages and lists by the bytes that are being sent to all clients. Above `plenty`, pages are
 * short. A thousand clients that do not read therefore take little more memory than forty, and no request is rejected
 * or delayed because of others.
 */
export function createPageRoom(most = plenty) {
  let used = 0;
  return {
    /** Reserves room for a request's page until its answer has been sent. */
    take(request: Pick<ApiRequest, 'whenAnswered'>) {
      const extent = used + usual.bytes * answerPerText <= most ? usual : scarce;
      let own = extent.bytes * answerPerText;
      used += own;
      let isOver = false;
      request.whenAnswered(() => {
        isOver = true;
        used -= own;
      });
      return {
        /** The limits of the page. */
        extent,
        /** Takes the length of the answer in bytes, and frees the rest of the room. */
        settle(length: number): void {
          if (isOver) return;
          used += length - own;
          own = length;
        },
      };
    },
  };
}
