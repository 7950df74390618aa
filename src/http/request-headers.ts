import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorDetail } from '../base/errors.js';

/** All headers of a request together, in bytes; Node.js refuses more with 431. */
export const largestHeaders = 16_384;

/** The longest value of each header that handlers read, in characters; of any other, all that fits. */
const longest: Readonly<Record<string, number>> = {
  'Idempotency-Key': 255,
  'X-Profile-Id': 15,
  'X-Token-SN': 500,
  'X-Vtoken-Secret': 8_000,
};

/** How long a header may be; routes declare the headers that they read. */
export function longestHeader(name: string): number {
  return longest[name] ?? largestHeaders;
}

/** Gives a check of the declared headers: what is wrong with those of a request. */
export function headerCheck(
  names: readonly string[],
): (headers: IncomingHttpHeaders) => readonly ErrorDetail[] {
  const bounded = names.flatMap((name) =>
    longest[name] === undefined ? [] : [{ name, key: name.toLowerCase(), limit: longest[name] }],
  );
  return (headers) => {
    // Most requests break no rule, and this is asked of every one: no list is made for those.
    if (!bounded.some(({ key, limit }) => (headers[key]?.length ?? 0) > limit)) return [];
    return bounded
      .filter(({ key, limit }) => (headers[key]?.length ?? 0) > limit)
      .map(({ name, limit }) => ({
        path: `/${name}`,
        message: `must have at most ${limit} characters`,
      }));
  };
}
