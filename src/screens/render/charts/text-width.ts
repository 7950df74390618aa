/** Pixels at the size of an axis: an average letter, a wide one, a sign as wide as high, a space. */
const [letter, wideLetter, square, space] = [7, 11, 12.5, 3.5];
const wideLetters = 'MWmw@%ЖМФШЩЫЮжмфшщыю';

/** Characters of a label: more have no room beside a drawing, however wide it is. */
const longestLabel = 200;

/** A text without what no place beside a drawing has room for. */
export function shorten(text: string): string {
  if (text.length <= longestLabel) return text;
  // Whole signs: half of a pair at the end is none.
  return `${[...text.slice(0, longestLabel)].slice(0, -1).join('')}…`;
}

/** About how wide a text is at the size of an axis (11.5 px), in pixels; rather too much than too little. */
export function textWidth(text: string): number {
  let width = 0;
  for (const sign of shorten(text)) {
    const code = sign.codePointAt(0) ?? 0;
    // From the Korean letters on: ideographs, and beyond them pictures.
    const isSquare = (code >= 0x1100 && code < 0x1200) || code >= 0x2600;
    if (isSquare) width += square;
    else if (sign === ' ') width += space;
    else width += wideLetters.includes(sign) ? wideLetter : letter;
  }
  return width;
}

/** The width of the longest part of a text that cannot be broken between words. */
export function wordWidth(text: string): number {
  return shorten(text)
    .split(/[\s-]+/u)
    .reduce((most, word) => Math.max(most, textWidth(word)), 0);
}
