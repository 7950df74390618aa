/** Maximum number of characters of a word that are compared. The work grows with the square of the length. */
const maxWordLength = 48;

/** Maximum number of names from which a suggestion is chosen. */
const maxCandidates = 100;

/**
 * Returns the candidate that was probably meant, or undefined if none is close. At most a third of the letters may
 * differ (swapped neighbors count once); case, `-`, `_` and spaces are ignored. A word that starts with the other, such
 * as `warning` and `warn`, is close too. Only the first 100 candidates and the first 48 characters of each are
 * compared.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  return allNear(word, candidates)[0]?.word;
}

/** A candidate and the number of letters that differ: 0 if only case, `-`, `_` or spaces differ. */
export interface Near {
  readonly word: string;
  readonly distance: number;
}

/** Returns all candidates that are close enough for `nearest`, closest first. */
export function allNear(word: string, candidates: Iterable<string>): readonly Near[] {
  const wanted = simplify(word);
  const found: Near[] = [];
  let left = maxCandidates;
  for (const candidate of candidates) {
    if (left-- === 0) break;
    if (candidate === word) continue;
    const other = simplify(candidate);
    const max = maxDifferences(wanted, other);
    const distance = wanted === other ? 0 : distanceOf(wanted, other, max + 1);
    if (distance <= max && distance < wanted.length) found.push({ word: candidate, distance });
  }
  return found.sort((a, b) => a.distance - b.distance);
}

/** Returns the candidates at distance 0. Faster than `allNear`. */
export function sameLetters(word: string, candidates: Iterable<string>): readonly string[] {
  const wanted = simplify(word);
  const found: string[] = [];
  let left = wanted === '' ? 0 : maxCandidates;
  for (const candidate of candidates) {
    if (left-- === 0) break;
    if (candidate !== word && simplify(candidate) === wanted) found.push(candidate);
  }
  return found;
}

/** Returns the number of letters that may differ between two close names. */
function maxDifferences(a: string, b: string): number {
  return Math.max(1, Math.floor(Math.max(a.length, b.length) / 3));
}

function simplify(word: string): string {
  return word
    .slice(0, maxWordLength)
    .toLowerCase()
    .replace(/[-_\s]/g, '');
}

function distanceOf(a: string, b: string, limit: number): number {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length >= 3 && long.startsWith(short)) return Math.min(1, limit);
  return difference(a, b, limit);
}

/** Returns the optimal string alignment distance, or `limit` as soon as the distance is certain to reach it. */
function difference(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let previous: number[] = [];
  for (let index = 0; index <= b.length; index++) previous.push(index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const changed = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min(
        (previous[j] ?? 0) + 1,
        (current[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + changed,
      );
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      current[j] = cost;
      least = Math.min(least, cost);
    }
    if (least >= limit) return limit; // A swap cannot cost less than the previous row.
    [before, previous] = [previous, current];
  }
  return previous[b.length] ?? limit;
}
