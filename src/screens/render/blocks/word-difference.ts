import { diffArrays } from 'diff';

/** A run of a text: in both versions, only in the earlier one, or only in the later one. */
export interface TextPart {
  readonly kind: 'kept' | 'removed' | 'added';
  readonly text: string;
}

/** The most removed and added words that are searched for: the time grows with their square. */
const mostChanges = 300;

/** Two texts that share less of their letters and digits than this are rather told as two texts. */
const leastShared = 0.35;

/**
 * What a text was and what it becomes, word by word: kept and removed parts together are the earlier text, kept
 * and added ones the later. Undefined where the two have too little in common to be read as one text.
 */
export function wordDifference(was: string, becomes: string): readonly TextPart[] | undefined {
  const changes = diffArrays(wordsIn(was), wordsIn(becomes), { maxEditLength: mostChanges });
  if (changes === undefined) return undefined;
  const parts = changes.map(({ value, added, removed }): TextPart => {
    return { kind: added ? 'added' : removed ? 'removed' : 'kept', text: value.join('') };
  });
  return sharedOf(parts) < leastShared ? undefined : withoutIslands(parts);
}

/** How much of the longer text's letters and digits both have, from 0 to 1; 1 where there are none. */
function sharedOf(parts: readonly TextPart[]): number {
  const lettersOf = (kind: TextPart['kind']): number =>
    parts.reduce((sum, part) => sum + (part.kind === kind ? lettersIn(part.text) : 0), 0);
  const kept = lettersOf('kept');
  const longer = kept + Math.max(lettersOf('removed'), lettersOf('added'));
  return longer === 0 ? 1 : kept / longer;
}

/** Letters and digits, which say something; marks and spaces are in any text. */
function lettersIn(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

/**
 * Spaces and marks that are kept between a removed and an added word belong to the change: "five working days" for
 * "a whole month" is one thing, not five. What is removed stands before what is added.
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

/** Changes in a row as one, where something takes the place of something. */
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
 * The same said of fewer parts: where only ", age" is gone from "phone, age and", it is one part, though as well "," and "age "
 * could be.
 */
function slid(changes: readonly TextPart[]): readonly TextPart[] {
  const [first, between, second, ...rest] = changes;
  if (!first || !between || !second?.text.endsWith(between.text)) return changes;
  const text = first.text + between.text + second.text;
  const change = { kind: first.kind, text: text.slice(0, text.length - between.text.length) };
  return rest.length === 0 ? [change, between] : changes;
}

/** What a sign is to the word that it stands in or beside. */
type Sign = 'space' | 'letter' | 'digit' | 'alone' | 'attached';

/** Scripts that leave no spaces between words. */
const unspaced =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Makes one emoji of several. */
const joiner = '\u200d';

/** What belongs to the sign before it: marks, the joiner of emoji, their variants and skin tones. */
const attached = /[\p{M}\p{Emoji_Modifier}\u200d]/u;

/**
 * What a text is compared by: words, numbers with their separators ("70 000", "12.05.2026"), runs of spaces, and
 * every other sign for itself; emoji and letters with marks stay whole. Scripts that leave no spaces between words
 * are compared letter by letter. Intl.Segmenter would know their words, but its tables differ between versions of
 * Node.js, and a page has to come out equal everywhere. Joined, the pieces are the text.
 */
export function wordsIn(text: string): string[] {
  const pieces: string[] = [];
  let before: Sign | undefined;
  let piece = '';
  let at = 0;
  for (const sign of text) {
    const kind = kindOf(sign);
    const inNumber = before === 'digit' && separates(sign, text, at);
    if (inNumber || kind === 'attached' || piece.endsWith(joiner)) piece += sign;
    else if (goesOn(before, kind)) {
      piece += sign;
      before = kind;
    } else {
      if (piece) pieces.push(piece);
      [piece, before] = [sign, kind];
    }
    at += sign.length;
  }
  if (piece) pieces.push(piece);
  return pieces;
}

function kindOf(sign: string): Sign {
  if (/\s/u.test(sign)) return 'space';
  if (attached.test(sign)) return 'attached';
  if (/\p{Nd}/u.test(sign)) return 'digit';
  return /[\p{L}\p{N}]/u.test(sign) && !unspaced.test(sign) ? 'letter' : 'alone';
}

/** Letters and digits make one word, "B12"; spaces make one run. */
function goesOn(before: Sign | undefined, kind: Sign): boolean {
  if (kind === 'space') return before === 'space';
  return (before === 'letter' || before === 'digit') && (kind === 'letter' || kind === 'digit');
}

/** Whether a sign after a digit stands inside a number: "12.5", "12.05.2026", "70 000". */
function separates(sign: string, text: string, at: number): boolean {
  if (/[.,]/.test(sign)) return /^\d/.test(text.slice(at + 1, at + 2));
  return /[ \u00a0\u202f]/.test(sign) && /^\d{3}(?!\d)/.test(text.slice(at + 1, at + 5));
}
