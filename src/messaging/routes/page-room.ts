import type { ApiRequest } from '../../http/route/route.js';
import { largestPageBytes, type PageExtent } from '../message-page.js';
import { largestPage } from './paging.js';

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
