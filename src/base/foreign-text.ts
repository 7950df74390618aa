import { once } from './single-flight.js';

/**
 * Characters of untrusted text (a file, a provider's response, a name) that may move the cursor, hide text or change
 * its direction: control characters (C0, DEL, C1), line and paragraph separators, the direction marks of UAX #9
 * (U+061C, 200E/F, 202A–E, 2066–9), the zero-width space and the byte order mark. Compiled on first use, because
 * compilation is slow.
 */
const unsafe = once(() => /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b\ufeff]/gu);

/** Like `unsafe`, but without line feeds. */
const unsafeInLines = once(() => /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b\ufeff]/gu);

/**
 * Matches text of European letters, punctuation, symbols, arrows and boxes, all of which are safe. Most text matches,
 * and this pattern is faster than the patterns above.
 */
const plainLine = /^[\x20-\x7e\xa0-\u05ff\u2010-\u2027\u2030-\u205e\u2070-\u2fff]*$/;

/** Like `plainLine`, but allows line feeds. */
const plain = /^[\n\x20-\x7e\xa0-\u05ff\u2010-\u2027\u2030-\u205e\u2070-\u2fff]*$/;

/** Returns untrusted text as a single line, with unsafe characters escaped, as in `\u001b`. */
export function escapeForeign(text: string): string {
  if (plainLine.test(text)) return text;
  return text.replace(unsafe(), escapeCharacter);
}

/**
 * Returns multi-line untrusted text, with unsafe characters except line feeds escaped. Escaped JSON has the same parsed
 * value.
 */
export function escapeForeignLines(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(unsafeInLines(), escapeCharacter);
}

/** Returns a value as JSON with unsafe characters escaped. The parsed value is the same. */
export function foreignJson(value: unknown, indent?: number): string {
  // Outside strings, the only unsafe characters in JSON are the line feeds of the indentation.
  return escapeForeignLines(JSON.stringify(value, null, indent));
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Commands that CI systems execute when they appear anywhere in a logged line: `::x::` (GitHub), `##[x]` and `##vso[x]`
 * (Azure and others). In untrusted text, one character of each is escaped.
 */
const commands = /(?<=:):|(?<=#)#(?=[a-z]*\[)/gi;

/** Returns whether a text may contain a command. This check is fast, and most texts contain none. */
function mayCommand(text: string): boolean {
  return text.includes('::') || text.includes('##');
}

/** Disables CI commands in JSON with `\u003a` and `\u0023`, which do not change the parsed value. */
export function breakCommands(text: string): string {
  if (!mayCommand(text)) return text;
  return text.replace(commands, (sign) => (sign === ':' ? '\\u003a' : '\\u0023'));
}

/** Disables CI commands in XML, HTML and Markdown with character references, which do not change the displayed text. */
export function breakCommandsInMarkup(text: string): string {
  if (!mayCommand(text)) return text;
  return text.replace(commands, (sign) => (sign === ':' ? '&#58;' : '&#35;'));
}
