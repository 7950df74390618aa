import { diffArrays } from 'diff';

/** A part of a text: `kept` is in both versions, `removed` only in the earlier one, and `added` only in the later. */
export interface TextPart {
  readonly kind: 'kept' | 'removed' | 'added';
  readonly text: string;
}

/** Maximum number of removed and added words. The time of a comparison grows with the square of their number. */
const maxChanges = 300;

/** Minimum share of common letters and digits. Two texts with less in common are shown separately. */
const minShared = 0.35;

/**
 * Compares two texts word by word. The kept and removed parts form the earlier text, and the kept and added parts form
 * the later text. Returns undefined if the texts have too little in common.
 */
export function wordDifference(was: string, becomes: string): readonly TextPart[] | undefined {
  const changes = diffArrays(wordsIn(was), wordsIn(becomes), { maxEditLength: maxChanges });
  if (changes === undefined) return undefined;
  const parts = changes.map(({ value, added, removed }): TextPart => {
    return { kind: added ? 'added' : removed ? 'removed' : 'kept', text: value.join('') };
  });
  return sharedOf(parts) < minShared ? undefined : withoutIslands(parts);
}

/** Returns the share of letters and digits that both texts have in common, from 0 to 1. Without any, returns 1. */
function sharedOf(parts: readonly TextPart[]): number {
  const lettersOf = (kind: TextPart['kind']): number =>
    parts.reduce((sum, part) => sum + (part.kind === kind ? lettersIn(part.text) : 0), 0);
  const kept = lettersOf('kept');
  const longer = kept + Math.max(lettersOf('removed'), lettersOf('added'));
  return longer === 0 ? 1 : kept / longer;
}

/** Counts letters and digits. Punctuation and spaces are ignored, because most texts have them in common. */
function lettersIn(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

/**
 * Merges the spaces and punctuation between changed words into the change. For example, "five working days" replaces
 * "a whole month" as one change instead of five. Removed parts precede added parts.
 */
function withoutIslands(parts: readonly TextPart[]): readonly TextPart[] {
  const joined: TextPart[] = [];
  let changes: TextPart[] = [];
  for (const [index, part] of parts.entries()) {
    const between = changes.length > 0 && index < parts.length - 1;
    const island = between && lettersIn(part.text) === 0 && !part.text.includes('\n');
    if (part.kind !== 'kept' || island) changes.push(part);
    else {
      joined.push(...replacement(changes), part);
      changes = [];
    }
  }
  return [...joined, ...replacement(changes)];
}

/** Joins consecutive changes into one replacement if they both remove and add text. */
function replacement(changes: readonly TextPart[]): readonly TextPart[] {
  const kinds = new Set(changes.map(({ kind }) => kind));
  if (!kinds.has('removed') || !kinds.has('added')) return combined(changes);
  const without = (kind: TextPart['kind']): string =>
    changes.map((part) => (part.kind === kind ? '' : part.text)).join('');
  const [removed, added] = [without('added'), without('removed')];
  const space = spaceAtEnd(removed) === spaceAtEnd(added) ? spaceAtEnd(added) : '';
  const parts: readonly TextPart[] = [
    { kind: 'removed', text: removed.slice(0, removed.length - space.length) },
    { kind: 'added', text: added.slice(0, added.length - space.length) },
    { kind: 'kept', text: space },
  ];
  return parts.filter(({ text }) => text !== '');
}

function spaceAtEnd(text: string): string {
  return text.slice(text.trimEnd().length);
}

/**
 * Combines the parts of a change if possible. If "phone, age and" becomes "phone and", the change removes ", age" as
 * one part instead of "," and "age ".
 */
function combined(changes: readonly TextPart[]): readonly TextPart[] {
  const [first, between, second, ...rest] = changes;
  if (!first || !between || !second?.text.endsWith(between.text)) return changes;
  const text = first.text + between.text + second.text;
  const change = { kind: first.kind, text: text.slice(0, text.length - between.text.length) };
  return rest.length === 0 ? [change, between] : changes;
}

/** Characters of scripts without spaces between words. */
const unspaced =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
    .source;

/** Combining marks, skin tones, and joiners together with the emoji that follows. */
const attached = /(?:[\p{M}\p{Emoji_Modifier}]|\u200d.?)*/su.source;

/** Separators inside a number. */
const separator = /(?<=\p{Nd})(?:[.,](?=\d)|[ \u00a0\u202f](?=\d{3}(?!\d)))/u.source;

const word = `(?:(?:${separator}|(?!${unspaced})[\\p{L}\\p{N}])${attached})+`;
const piece = new RegExp(`${word}|(?:\\s${attached})+|.${attached}`, 'gsu');

/**
 * Splits a text into words, numbers with their separators ("70 000", "12.05.2026"), runs of spaces, and other single
 * characters. Emoji and letters with marks are not split. Scripts without spaces are split into letters. The joined
 * pieces are equal to the text.
 *
 * Intl.Segmenter is not used because its tables differ between versions of Node.js, and a page must be the same
 * everywhere.
 */
export function wordsIn(text: string): string[] {
  return text.match(piece) ?? [];
}
