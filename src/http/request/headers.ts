import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../base/errors.js';

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

/** Gives what throws `validation_failed` where declared headers of a request are too long. */
export function headerCheck(names: readonly string[]): (headers: IncomingHttpHeaders) => void {
  const bounded = names.flatMap((name) =>
    longest[name] === undefined ? [] : [{ name, key: name.toLowerCase(), limit: longest[name] }],
  );
  return (headers) => {
    if (bounded.length === 0) return;
    const tooLong = bounded.filter(({ key, limit }) => (headers[key]?.length ?? 0) > limit);
    if (tooLong.length === 0) return;
    throw new AppError('validation_failed', 'A header has a value that is not allowed.', {
      details: tooLong.map(({ name, limit }) => ({
        path: `/${name}`,
        message: `must have at most ${limit} characters`,
      })),
    });
  };
}
