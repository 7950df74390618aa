import { once } from './single-flight.js';

/**
 * Characters of foreign text (a file, a provider's answer, a name) that may move the cursor, hide text or change its
 * direction: controls (C0, DEL, C1), line and paragraph separators, the direction marks of UAX #9 (U+061C, 200E/F,
 * 202A–E, 2066–9), the zero-width space and the byte order mark. Compiled on first use, because that is slow.
 */
const unsafe = once(() => /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b\ufeff]/gu);

/** The same, for text that keeps its line breaks. */
const unsafeInLines = once(() => /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b\ufeff]/gu);

/**
 * European letters, signs, arrows and boxes, none of which is unsafe. Most texts have no others, and this pattern finds
 * that faster than the patterns above.
 */
const plainLine = /^[\x20-\x7e\xa0-\u05ff\u2010-\u2027\u2030-\u205e\u2070-\u2fff]*$/;

/** The same, with line breaks. */
const plain = /^[\n\x20-\x7e\xa0-\u05ff\u2010-\u2027\u2030-\u205e\u2070-\u2fff]*$/;

/** Returns foreign text for one line, with unsafe characters escaped, as in `\u001b`. */
export function escapeForeign(text: string): string {
  if (plainLine.test(text)) return text;
  return text.replace(unsafe(), escapeCharacter);
}

/**
 * Returns foreign text of several lines, with unsafe characters except line breaks escaped. The parsed value of JSON stays
 * the same.
 */
export function escapeForeignLines(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(unsafeInLines(), escapeCharacter);
}

/** Returns a value as JSON with unsafe characters escaped; the parsed value is the same. */
export function foreignJson(value: unknown, indent?: number): string {
  // Outside its strings, JSON has no unsafe characters except the line breaks of the indentation.
  return escapeForeignLines(JSON.stringify(value, null, indent));
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Commands that CI systems execute when they are logged: `::x::` (GitHub), `##[x]` and `##vso[x]` (Azure and others),
 * anywhere in a line. In foreign text, one sign of each is escaped.
 */
const commands = /(?<=:):|(?<=#)#(?=[a-z]*\[)/gi;

/** Returns quickly whether a text may contain a command; most texts do not. */
function mayCommand(text: string): boolean {
  return text.includes('::') || text.includes('##');
}

/** Breaks commands of CI systems with `\u003a` and `\u0023`, which keeps the value of JSON. */
export function breakCommands(text: string): string {
  if (!mayCommand(text)) return text;
  return text.replace(commands, (sign) => (sign === ':' ? '\\u003a' : '\\u0023'));
}

/** Breaks commands of CI systems with character references, which keeps the text of XML, HTML and Markdown. */
export function breakCommandsInMarkup(text: string): string {
  if (!mayCommand(text)) return text;
  return text.replace(commands, (sign) => (sign === ':' ? '&#58;' : '&#35;'));
}
