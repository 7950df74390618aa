import { diffArrays } from 'diff';

/** Part of a text that is in both versions, only in the earlier one, or only in the later one. */
export interface TextPart {
  readonly kind: 'kept' | 'removed' | 'added';
  readonly text: string;
}

/** The most removed and added words that are searched for; the time grows with their square. */
const maxChanges = 300;

/** Two texts that share a smaller part of their letters and digits appear as separate texts. */
const minShared = 0.35;

/**
 * Returns the difference of two texts, word by word. Kept and removed parts form the earlier text, kept and
 * added ones the later text. Returns undefined if the texts have too little in common.
 */
export function wordDifference(was: string, becomes: string): readonly TextPart[] | undefined {
  const changes = diffArrays(wordsIn(was), wordsIn(becomes), { maxEditLength: maxChanges });
  if (changes === undefined) return undefined;
  const parts = changes.map(({ value, added, removed }): TextPart => {
    return { kind: added ? 'added' : removed ? 'removed' : 'kept', text: value.join('') };
  });
  return sharedOf(parts) < minShared ? undefined : withoutIslands(parts);
}

/** Returns the part of the longer text's letters and digits that both have, from 0 to 1; 1 if there are none. */
function sharedOf(parts: readonly TextPart[]): number {
  const lettersOf = (kind: TextPart['kind']): number =>
    parts.reduce((sum, part) => sum + (part.kind === kind ? lettersIn(part.text) : 0), 0);
  const kept = lettersOf('kept');
  const longer = kept + Math.max(lettersOf('removed'), lettersOf('added'));
  return longer === 0 ? 1 : kept / longer;
}

/** Counts letters and digits; punctuation and spaces are in any text. */
function lettersIn(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

/**
 * Merges spaces and punctuation between a removed and an added word into the change, so that "five working
 * days" replaces "a whole month" as one change instead of five. Removed parts come before added ones.
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

/** Joins consecutive changes into one replacement if they remove and add something. */
function replacement(changes: readonly TextPart[]): readonly TextPart[] {
  const kinds = new Set(changes.map(({ kind }) => kind));
  if (!kinds.has('removed') || !kinds.has('added')) return slid(changes);
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
 * Returns the same change in fewer parts: if "phone, age and" becomes "phone and", it removes ", age" as one
 * part, instead of "," and "age ".
 */
function slid(changes: readonly TextPart[]): readonly TextPart[] {
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

/** Combining marks, skin tones, and the joiner with the emoji that it joins. */
const attached = /(?:[\p{M}\p{Emoji_Modifier}]|\u200d.?)*/su.source;

/** Separators inside a number. */
const separator = /(?<=\p{Nd})(?:[.,](?=\d)|[ \u00a0\u202f](?=\d{3}(?!\d)))/u.source;

const word = `(?:(?:${separator}|(?!${unspaced})[\\p{L}\\p{N}])${attached})+`;
const piece = new RegExp(`${word}|(?:\\s${attached})+|.${attached}`, 'gsu');

/**
 * Splits a text into words, numbers with their separators ("70 000", "12.05.2026"), runs of spaces, and single
 * other characters; emoji and letters with marks stay whole. Scripts without spaces are split into letters.
 * Joined, the pieces are the text.
 *
 * Intl.Segmenter knows words, but its tables differ between versions of Node.js, and a page must be the same
 * everywhere.
 */
export function wordsIn(text: string): string[] {
  return text.match(piece) ?? [];
}
