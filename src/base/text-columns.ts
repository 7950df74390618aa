const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\p{Emoji_Presentation}]/u;
const ascii = /^[\x20-\x7e]*$/;
const zero = /[\p{Mn}\p{Me}\p{Cf}]/u;

/**
 * Columns of a terminal that a text takes, roughly: wide letters and emoji take two. What counts them
 * exactly has large expressions to compile, which a cold `validate-screen` would wait for.
 */
export function columnsOf(text: string): number {
  if (ascii.test(text)) return text.length;
  let count = 0;
  for (const character of text) count += columnsOfOne(character);
  return count;
}

function columnsOfOne(character: string): number {
  if (zero.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** The beginning of a text that fits in so many columns. */
export function firstColumns(text: string, room: number): string {
  return fitting([...text], room).join('');
}

/** The end of a text that fits in so many columns. */
export function lastColumns(text: string, room: number): string {
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
