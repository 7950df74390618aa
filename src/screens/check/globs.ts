/** Whether a word is a pattern for names. */
export function isGlob(word: string): boolean {
  return /[*?[\]{}]|[!+@]\(/.test(word);
}

/**
 * A pattern becomes a regular expression; the work of one grows with the length of a name to the power of its
 * wildcards.
 */
export const globBounds = {
  /** Characters of a pattern. */
  length: 200,
  /** The most wildcards of a pattern. */
  wildcards: 6,
  /** The most wildcards between two slashes of a pattern. */
  inOnePart: 3,
};

/** Whether a pattern is beyond these bounds. */
export function isHardGlob(pattern: string): boolean {
  const { length, wildcards, inOnePart } = globBounds;
  const countOf = (text: string): number => text.match(/\*+/g)?.length ?? 0;
  return (
    pattern.length > length ||
    countOf(pattern) > wildcards ||
    pattern.split('/').some((part) => countOf(part) > inOnePart)
  );
}
