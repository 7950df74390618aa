import type { Reply } from '../../http/answer/reply.js';
import { etagOf } from '../../http/answer/representation.js';
import type { QueryParameters, ValuesOf } from '../../http/request/query.js';
import type { ApiRequest } from '../../http/route/route.js';
import { largestPageBytes, type PageExtent } from '../message-page.js';
import type { Page } from '../store.js';

/** The most entries of a page, and the default. */
export const largestPage = 1000;

/** Highest id that a path or query takes: whole numbers are exact up to here. */
export const highestId = Number.MAX_SAFE_INTEGER;

/** Seconds of a `wait`; proxies commonly cut off after 60. */
export const longestWait = 30;

/** Parameters of a list that is ordered by id. */
export const pageQuery = {
  after: {
    type: 'integer',
    description: 'Only what has a higher id: the last id of the page before.',
    minimum: 0,
    maximum: highestId,
  },
  limit: {
    type: 'integer',
    description: `At most this many (${largestPage} where not given).`,
    minimum: 1,
    maximum: largestPage,
  },
} as const satisfies QueryParameters;

export function pageOf({ after = 0, limit = largestPage }: ValuesOf<typeof pageQuery>): Page {
  return { after, limit };
}

/** An answer whose length is known before it is sent. */
export type BytesReply = Reply & { readonly content: Buffer; readonly etag: string };

/** 200 with a JSON body and its ETag; as bytes, because text takes twice the memory while its client reads. */
export function bytesReply(json: object): BytesReply {
  const content = Buffer.from(JSON.stringify(json));
  const headers = { 'Content-Type': 'application/json; charset=utf-8' };
  return { status: 200, content, etag: etagOf(content), headers };
}

/** Bytes of answers on their way to clients up to which pages are as long as requested. @bound */
const plenty = 128 * 1024 * 1024;

const usual: PageExtent = { limit: largestPage, bytes: largestPageBytes };

/** A page while more than `plenty` is on its way; clients page on as always. @bound */
const scarce: PageExtent = {
  /** The most messages of a page while many answers are on their way. */
  limit: 100,
  /** Bytes of text on a page while many answers are on their way. */
  bytes: 64 * 1024,
};

/** An answer is longer than its text: the hex digits of the own messages, names and pictures. */
const answerPerText = 4;

export type PageRoom = ReturnType<typeof createPageRoom>;

/**
 * Decides how long a page or list may be by what of earlier ones is on its way to all clients. A thousand that
 * do not read take little more memory than forty: beyond `plenty`, pages are short, and nobody is refused or
 * kept waiting for others.
 */
export function createPageRoom(most = plenty) {
  let used = 0;
  return {
    /** Takes room for a request's page until its answer was sent. */
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
        /** How far the page may reach. */
        extent,
        /** Reports how long the answer became, in bytes: the rest of the room is free at once. */
        settle(length: number): void {
          if (isOver) return;
          used += length - own;
          own = length;
        },
      };
    },
  };
}
