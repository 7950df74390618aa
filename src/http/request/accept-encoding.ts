import { remembering } from '../../base/remember.js';

/** How the bytes of an answer may be coded on their way. */
export type Coding = 'br' | 'gzip' | 'identity';

/** Ours, the smallest first; among those that a client likes equally, the first is taken. */
const ours: readonly Coding[] = ['br', 'gzip', 'identity'];

/**
 * The coding that a client likes best (`Accept-Encoding`, RFC 9110 section 12.5.3). What it refuses (`q=0`) is not
 * used; a client that refuses everything gets the bytes as they are, which it can always read.
 */
export const preferredCoding = remembering((acceptEncoding: string): Coding => {
  const weights = readWeights(acceptEncoding);
  const weightOf = (coding: Coding) =>
    weights.get(coding) ?? weights.get('*') ?? (coding === 'identity' ? leastWanted : 0);
  const accepted = ours.filter((coding) => weightOf(coding) > 0);
  return accepted.sort((one, other) => weightOf(other) - weightOf(one))[0] ?? 'identity';
});

/** Bytes as they are need not be named to be acceptable, and come last then. */
const leastWanted = 0.0001;

/** `gzip;q=0.8, br` -> gzip 0.8, br 1. A weight that is none counts as 0: nothing is guessed. */
function readWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    if (name !== '') weights.set(name === 'x-gzip' ? 'gzip' : name, readWeight(parameters));
  }
  return weights;
}

function readWeight(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  if (weight === undefined) return 1;
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0;
}
