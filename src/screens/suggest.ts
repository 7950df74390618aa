/**
 * The candidate that was probably meant, or undefined where none is near: at most a third of the
 * letters differ (a swap of neighbours counts once), and case, `-`, `_` and spaces do not count.
 * A word that begins with the candidate, or the other way round, is near too: `warning` and `warn`.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = simplify(word);
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    if (candidate === word) continue;
    const distance = distanceOf(wanted, simplify(candidate), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  const length = Math.max(wanted.length, best?.length ?? 0);
  return bestDistance <= Math.max(1, Math.floor(length / 3)) && bestDistance < wanted.length
    ? best
    : undefined;
}

/** ` Did you mean "x"?`, or nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const found = nearest(word, candidates);
  return found === undefined ? '' : ` Did you mean "${found}"?`;
}

/** Longer words are not compared: the table below grows with the square of the length. */
const longestWord = 64;

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
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
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
    }
    [before, previous] = [previous, current];
  }
  return previous[b.length] ?? limit;
}
