import type { ApiRequest } from '../../http/route/route.js';

type Answered = Pick<ApiRequest, 'signal' | 'whenAnswered'>;

/**
 * What a request takes for an answer that it may not need: kept until the answer was sent where there is one, else
 * given back at once, so that nobody holds anything who waits.
 */
export function heldSlots(request: Answered) {
  const ends: (() => void)[] = [];
  return {
    /** For those who give something until a request is answered. */
    request: {
      signal: () => request.signal(),
      whenAnswered: (end: () => void) => void ends.push(end),
    } satisfies Answered,
    keep(): void {
      for (const end of ends.splice(0)) request.whenAnswered(end);
    },
    release(): void {
      for (const end of ends.splice(0)) end();
    },
  };
}
