import { randomBytes } from 'node:crypto';

/** What a proxy in front may hand in as the id; anything else is replaced. */
const acceptable = /^[\w.-]{8,64}$/;

/**
 * Gives ids that are unique among processes and restarts and cheap to make: a random prefix a
 * process and a counter.
 */
export function createRequestIds(): (given: string | string[] | undefined) => string {
  const prefix = randomBytes(6).toString('base64url');
  let count = 0;
  return (given) => {
    if (typeof given === 'string' && acceptable.test(given)) return given;
    count += 1;
    return `${prefix}.${count.toString(36)}`;
  };
}
