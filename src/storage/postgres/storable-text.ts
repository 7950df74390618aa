/**
 * PostgreSQL's text cannot hold the character U+0000, JSON's can. It is stored as an escape that
 * begins with a character of the private use area, which itself is doubled; both are next to never
 * met, and equal texts stay equal.
 */
const mark = '\uf8f0';
const nul = '\0';

/** The text as the database stores it. */
export function toStorable(text: string): string {
  if (!text.includes(nul) && !text.includes(mark)) return text;
  return text.replaceAll(mark, mark + mark).replaceAll(nul, `${mark}0`);
}

/** The text that was stored. */
export function fromStorable(stored: string): string {
  if (!stored.includes(mark)) return stored;
  return stored.replace(/\uf8f0([\uf8f00])/g, (_, second) => (second === '0' ? nul : mark));
}
