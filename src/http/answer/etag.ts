import { createHash } from 'node:crypto';
import { AppError } from '../../base/errors.js';
import type { Coding } from '../request/accept-encoding.js';

/** A strong entity tag of these bytes, quoted as the header wants it. */
export function etagOf(content: Buffer | string): string {
  return `"${createHash('sha1').update(content).digest('base64url')}"`;
}

/** Whether an If-None-Match header names this tag (weak comparison, RFC 9110 section 13.1.2). */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true;
  if (!ifNoneMatch.includes(',') && !ifNoneMatch.startsWith('W/')) return false;
  const bare = etag.replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === bare);
}

/** The tag of a thing whose bytes are sent in a coding. */
export function etagIn(coding: Coding, etag: string): string {
  return coding === 'identity' ? etag : etag.replace(/"$/, `-${coding}"`);
}

/** What a tag ends with where the bytes were compressed on their way: another coding is another representation. */
const codings = /-(?:br|gzip)"$/;

/**
 * Throws `precondition_failed` where If-Match names none of a thing's tags (strong comparison, RFC 9110 section 13.1.1).
 * A header that is absent lets everything through. `etag`: the tag of the thing as it is stored now.
 */
export function assertMatch(ifMatch: string, etag: string): void {
  if (ifMatch === '' || ifMatch.trim() === '*') return;
  const given = ifMatch.split(',').map((tag) => tag.trim().replace(codings, '"'));
  if (given.includes(etag)) return;
  throw new AppError('precondition_failed', 'Somebody else has changed this meanwhile.', {
    hint: 'Read it again, and send its newest ETag in If-Match.',
    headers: { ETag: etag },
  });
}
