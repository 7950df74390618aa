import { once } from '../../base/single-flight.js';

/**
 * Matches invisible characters: control characters, Unicode format characters (except the visible signs before numbers
 * in Arabic and other scripts), and the Hangul fillers. White space is not included. Compiled on first use, like
 * `kinds`.
 */
const invisible = once(
  () =>
    /(?![\s\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Cc}\p{Cf}\u3164\uffa0]|\ufeff/gu,
);

/** The same pattern without the flag `g`. */
const anyInvisible = once(() => new RegExp(invisible().source, 'u'));

/** Matches texts that consist of common visible characters, so that most texts need no further check. */
const commonText =
  /^[\t\n\r\x20-\x7e\xa0-\xac\xae-\u05ff\u2010-\u2027\u2030-\u205f\u20a0-\u3163\u3165-\ud7ff]*$/;

/**
 * Patterns for kinds of characters. They are compiled when the first invisible character is found, because compiling
 * script patterns takes a tenth of the time of a run for one file. (V8 compiles the body of an arrow function early if
 * it is an expression.)
 */
const kinds = once(function makeKinds() {
  return {
    letter: /\p{L}|\p{M}/u,
    rightToLeft: /[\p{scx=Hebr}\p{scx=Arab}\p{scx=Syrc}\p{scx=Thaa}\p{scx=Nkoo}\p{scx=Adlm}]/u,

    /** Scripts with joining letters or half forms, where joiners select the form. */
    joined:
      /[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Nkoo}\p{scx=Adlm}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]/u,

    /** Scripts without spaces between words, where a zero width space permits a line break. */
    unspaced: /[\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]/u,

    emoji: /\p{Extended_Pictographic}/u,
    endOfEmoji: /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f/u,
  };
});

/** Matches the tags of a regional flag, which follow a black flag (UTS #51). No region code has more than 16. */
const flagTags = /[\u{e0030}-\u{e007a}]{1,16}\u{e007f}/uy;
const blackFlag = '\u{1f3f4}';

export interface InvisibleSign {
  readonly sign: string;
  /** Offset in UTF-16 units. */
  readonly index: number;
}

/** Returns true if a text contains invisible characters, including those that its script or emoji require. */
export function mayHide(text: string): boolean {
  return !commonText.test(text) && anyInvisible().test(text);
}

/** Yields the invisible characters of a text, except those that its script or emoji require. */
export function* invisibleSigns(text: string): Generator<InvisibleSign> {
  let endOfFlag = 0;
  let isRightToLeft: boolean | undefined;
  for (const { 0: sign, index } of text.matchAll(invisible())) {
    if (index < endOfFlag) continue;
    const before = signBefore(text, index);
    if (before === blackFlag) {
      flagTags.lastIndex = index;
      endOfFlag = flagTags.test(text) ? flagTags.lastIndex : 0;
      if (index < endOfFlag) continue;
    }
    // Direction marks are normal in right-to-left text.
    if (/[\u061c\u200e\u200f]/.test(sign)) {
      isRightToLeft ??= kinds().rightToLeft.test(text);
      if (isRightToLeft) continue;
    }
    if (!isRequired(sign, before, signAt(text, index + sign.length))) yield { sign, index };
  }
}

function isRequired(sign: string, before: string, after: string): boolean {
  const { letter, joined, unspaced, emoji, endOfEmoji } = kinds();
  switch (sign) {
    case '\u00ad':
      return letter.test(before) && letter.test(after);
    case '\u180e':
      return /\p{scx=Mong}/u.test(before);
    case '\u200b':
      return unspaced.test(before) && unspaced.test(after);
    case '\u200c':
      return joined.test(before) || joined.test(after);
    case '\u200d':
      return (
        joined.test(before) || joined.test(after) || (endOfEmoji.test(before) && emoji.test(after))
      );
    default:
      return false;
  }
}

function signAt(text: string, index: number): string {
  return String.fromCodePoint(text.codePointAt(index) ?? 0x20);
}

function signBefore(text: string, index: number): string {
  const pair = text.slice(Math.max(0, index - 2), index);
  return (pair.codePointAt(0) ?? 0) > 0xffff ? pair : pair.slice(-1);
}

/** Common names by code point. */
const names: Readonly<Record<string, string>> = {
  '00AD': 'soft hyphen',
  '061C': 'Arabic letter mark',
  '180E': 'Mongolian vowel separator',
  '200B': 'zero width space',
  '200C': 'zero width non-joiner',
  '200D': 'zero width joiner',
  '200E': 'left-to-right mark',
  '200F': 'right-to-left mark',
  '202A': 'left-to-right embedding',
  '202B': 'right-to-left embedding',
  '202C': 'pop directional formatting',
  '202D': 'left-to-right override',
  '202E': 'right-to-left override',
  '2060': 'word joiner',
  '2061': 'function application',
  '2062': 'invisible times',
  '2063': 'invisible separator',
  '2064': 'invisible plus',
  '2066': 'left-to-right isolate',
  '2067': 'right-to-left isolate',
  '2068': 'first strong isolate',
  '2069': 'pop directional isolate',
  '3164': 'Hangul filler',
  FEFF: 'byte order mark',
  FFA0: 'halfwidth Hangul filler',
};

/** Returns, for example, `U+202E (right-to-left override)`. */
export function describeInvisible(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  const number = code.toString(16).toUpperCase().padStart(4, '0');
  return `U+${number} (${names[number] ?? kindOf(sign, code)})`;
}

function kindOf(sign: string, code: number): string {
  if (isControl(sign)) return 'control character';
  return code >= 0xe0000 && code <= 0xe007f ? 'tag character' : 'format character';
}

/** Returns true for a control character, which often replaces a lost letter or line break. */
export function isControl(sign: string): boolean {
  return /\p{Cc}/u.test(sign);
}
