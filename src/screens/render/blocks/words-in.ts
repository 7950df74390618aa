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
