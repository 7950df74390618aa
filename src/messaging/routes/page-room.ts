import type { ApiRequest } from '../../http/route.js';
import { largestPageBytes } from '../message-page.js';

/** Decides how long a page may be by what of earlier ones is on its way to all clients. */
export interface PageRoom {
  /** Takes room for a request's page until its answer was sent. */
  take(request: Pick<ApiRequest, 'whenAnswered'>): {
    /** Bytes of text that the page may have. */
    readonly bytes: number;
    /** Tells how long the answer became: the rest of the room is free at once. */
    settle(bytes: number): void;
  };
}

/** Bytes of answers that may be on their way while pages are as long as they are asked for. */
const plenty = 128 * 1024 * 1024;

/** A page's text, in bytes, while there is more than that: clients page on as always. */
const scarcePageBytes = 64 * 1024;

/** An answer is longer than its text: names, and the hex digits of the own messages. */
const answerPerText = 4;

/**
 * A thousand clients that do not read take little more memory than forty: beyond `plenty`, pages are short,
 * and nobody is refused or kept waiting for others.
 */
export function createPageRoom(most = plenty): PageRoom {
  let used = 0;
  return {
    take(request) {
      const usual = largestPageBytes * answerPerText;
      const bytes = used + usual <= most ? largestPageBytes : scarcePageBytes;
      let own = bytes * answerPerText;
      used += own;
      let isOver = false;
      request.whenAnswered(() => {
        isOver = true;
        used -= own;
      });
      return {
        bytes,
        settle(length) {
          if (isOver) return;
          used += length - own;
          own = length;
        },
      };
    },
  };
}
