import { remembering } from '../../base/remember.js';
import { weighedEntries } from './weight.js';

/** How the bytes of an answer may be coded on their way. */
export type Coding = 'br' | 'gzip' | 'identity';

/** Ours, the smallest first; among those that a client likes equally, the first is taken. */
const ours: readonly Coding[] = ['br', 'gzip', 'identity'];

/**
 * The coding that a client likes best (`Accept-Encoding`, RFC 9110 section 12.5.3). What it refuses (`q=0`) is not
 * used; a client that refuses everything gets the bytes as they are, which it can always read.
 */
export const preferredCoding = remembering((acceptEncoding: string): Coding => {
  const weights = new Map(
    weighedEntries(acceptEncoding).map(({ name, weight }) => [nameOf(name), weight]),
  );
  const weightOf = (coding: Coding) =>
    weights.get(coding) ?? weights.get('*') ?? (coding === 'identity' ? leastWanted : 0);
  const accepted = ours.filter((coding) => weightOf(coding) > 0);
  return accepted.sort((one, other) => weightOf(other) - weightOf(one))[0] ?? 'identity';
});

/** Bytes as they are need not be named to be acceptable, and come last then. */
const leastWanted = 0.0001;

/** RFC 9110 section 8.4.1.3: `x-gzip` is the same. */
function nameOf(coding: string): string {
  return coding === 'x-gzip' ? 'gzip' : coding;
}
