/** Characters of a word that are compared; the work grows with the square of the length. */
const maxWordLength = 48;

/** The most names that a suggestion is chosen from. */
const maxCandidates = 100;

/**
 * Returns the candidate that was probably meant, or undefined. In it, at most a third of the letters differ (swapped
 * neighbours count once); case, `-`, `_` and spaces do not count. A word that starts with the other, such as `warning`
 * and `warn`, is near too. Only the first 100 candidates and the first 48 letters of each count.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  return allNear(word, candidates)[0]?.word;
}

/** A candidate and the number of letters that differ: 0 if only case, `-`, `_` and spaces do. */
export interface Near {
  readonly word: string;
  readonly distance: number;
}

/** Returns every candidate that `nearest` would accept alone, the nearest first. */
export function allNear(word: string, candidates: Iterable<string>): readonly Near[] {
  const wanted = simplify(word);
  const found: Near[] = [];
  let left = maxCandidates;
  for (const candidate of candidates) {
    if (left-- === 0) break;
    if (candidate === word) continue;
    const other = simplify(candidate);
    const most = maxDifferences(wanted, other);
    const distance = wanted === other ? 0 : distanceOf(wanted, other, most + 1);
    if (distance <= most && distance < wanted.length) found.push({ word: candidate, distance });
  }
  return found.sort((a, b) => a.distance - b.distance);
}

/** Returns the candidates at a distance of 0, which is faster than `allNear`. */
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

/** Returns how many letters may differ between two near names. */
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
    if (least >= limit) return limit; // A swap cannot undercut the previous row.
    [before, previous] = [previous, current];
  }
  return previous[b.length] ?? limit;
}
