import type { IncomingMessage } from 'node:http';
import { remembering } from '../../base/remember.js';
import { type Coding, preferredCoding } from '../request/accept-encoding.js';
import { isWorthCompressing, type Lengthy } from './compression.js';

/** Whether a body goes out in the coding that its client likes best. `header` gives one of the answer's, or ''. */
export function isCodable(header: (name: string) => string, body: Lengthy): boolean {
  if (!isWorthCompressing(header('Content-Type'), body)) return false;
  return header('Content-Encoding') === '' && !mustStay(header('Cache-Control'));
}

/** `no-transform`: nobody on the way, ourselves included, may send it as something else. */
function mustStay(cacheControl: string): boolean {
  return /\bno-transform\b/i.test(cacheControl);
}

/** The coding that a client likes best. */
export function codingFor({ headers }: Pick<IncomingMessage, 'headers'>): Coding {
  const accepted = headers['accept-encoding'];
  return accepted === undefined ? 'identity' : preferredCoding(String(accepted));
}

/** A Vary header that names Accept-Encoding, too. */
export const withEncoding = remembering((vary) => {
  const names = vary.split(',').map((name) => name.trim());
  if (names.includes('*') || names.some((name) => /^accept-encoding$/i.test(name))) return vary;
  return vary === '' ? 'Accept-Encoding' : `${vary}, Accept-Encoding`;
});
