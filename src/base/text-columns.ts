import { once } from './single-flight.js';

/** Compiled for the first text with non-European letters, because compilation is slow. */
const wide = once(
  () =>
    /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\p{Emoji_Presentation}]/u,
);
const zero = once(() => /[\p{Mn}\p{Me}\p{Cf}]/u);

/**
 * Matches text of European letters and symbols, which take one column each. Most text matches and is measured quickly.
 */
const narrow =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u0400-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2116]*$/;

/**
 * Returns the approximate number of terminal columns that a text takes. Wide letters and emoji take two. An exact count
 * would require large expressions, which would slow down the start of `validate-screen`.
 */
export function columnsOf(text: string): number {
  if (narrow.test(text)) return text.length;
  let count = 0;
  for (const character of text) count += columnsOfOne(character);
  return count;
}

function columnsOfOne(character: string): number {
  if (zero().test(character)) return 0;
  return wide().test(character) ? 2 : 1;
}

/** Returns the start of a text that fits in `room` columns. */
export function firstColumns(text: string, room: number): string {
  if (narrow.test(text)) return text.slice(0, Math.max(0, room));
  return fitting([...text], room).join('');
}

/** Returns the end of a text that fits in `room` columns. */
export function lastColumns(text: string, room: number): string {
  if (narrow.test(text)) return room > 0 ? text.slice(-room) : '';
  return fitting([...text].reverse(), room)
    .reverse()
    .join('');
}

function fitting(characters: readonly string[], room: number): string[] {
  let used = 0;
  const end = characters.findIndex((character) => {
    used += columnsOfOne(character);
    return used > room;
  });
  return characters.slice(0, end < 0 ? undefined : end);
}

/** Breaks text between words into lines of at most `width` characters. A longer word is put on its own line. */
export function wrapWords(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line === '' || longer.length <= width) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}
