/** Characters of a word that are compared: the table below grows with the square of the length. */
const longestWord = 48;

/** The most names that a suggestion is chosen from; a person chooses among fewer. */
const mostCandidates = 100;

/**
 * The candidate that was probably meant, or undefined where none is near: at most a third of the
 * letters differ (a swap of neighbours counts once), and case, `-`, `_` and spaces do not count.
 * A word that begins with the candidate, or the other way round, is near too: `warning` and `warn`.
 * Looks at the first 100 candidates, and at the first 48 letters of each.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  return allNear(word, candidates)[0]?.word;
}

/** A candidate that may be meant, and how many letters differ: 0 where only case, `-`, `_` and spaces do. */
export interface Near {
  readonly word: string;
  readonly distance: number;
}

/** Every candidate that `nearest` would take if it were the only one, the nearest first. */
export function allNear(word: string, candidates: Iterable<string>): readonly Near[] {
  const wanted = simplify(word);
  const found: Near[] = [];
  let left = mostCandidates;
  for (const candidate of candidates) {
    if (left-- === 0) break;
    if (candidate === word) continue;
    const other = simplify(candidate);
    const most = mostDifferences(wanted, other);
    const distance = wanted === other ? 0 : distanceOf(wanted, other, most + 1);
    if (distance <= most && distance < wanted.length) found.push({ word: candidate, distance });
  }
  return found.sort((a, b) => a.distance - b.distance);
}

/** The candidates that `allNear` finds at a distance of 0, which takes less than to find all. */
export function sameLetters(word: string, candidates: Iterable<string>): readonly string[] {
  const wanted = simplify(word);
  const found: string[] = [];
  let left = wanted === '' ? 0 : mostCandidates;
  for (const candidate of candidates) {
    if (left-- === 0) break;
    if (candidate !== word && simplify(candidate) === wanted) found.push(candidate);
  }
  return found;
}

/** How many letters may differ between names that are near. */
function mostDifferences(a: string, b: string): number {
  return Math.max(1, Math.floor(Math.max(a.length, b.length) / 3));
}

function simplify(word: string): string {
  return word
    .slice(0, longestWord)
    .toLowerCase()
    .replace(/[-_\s]/g, '');
}

function distanceOf(a: string, b: string, limit: number): number {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length >= 3 && long.startsWith(short)) return Math.min(1, limit);
  return difference(a, b, limit);
}

/** Optimal string alignment distance; gives up once it is sure to reach `limit`. */
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
    if (least >= limit) return limit; // A swap can only save what the row before had counted.
    [before, previous] = [previous, current];
  }
  return previous[b.length] ?? limit;
}
