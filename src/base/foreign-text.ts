import { once } from './single-flight.js';

/**
 * What strangers wrote (a file, a provider's answer, a name) may move a cursor, hide text or turn its
 * direction around: controls (C0, DEL, C1), line and paragraph separators, the direction marks of UAX #9
 * (U+061C, 200E/F, 202A–E, 2066–9), the zero-width space and the byte order mark. Made when first looked for:
 * the engine gathers the characters as it reads the pattern, which takes a while.
 */
const unsafe = once(() => /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b\ufeff]/gu);

/** The same, in text whose line breaks are wanted. */
const unsafeInLines = once(() => /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b\ufeff]/gu);

/**
 * European letters, signs, arrows and boxes, none of them unsafe. Most texts have no others: finding so costs less
 * than looking for what is unsafe, or than rewriting them.
 */
const plainLine = /^[\x20-\x7e\xa0-\u05ff\u2010-\u2027\u2030-\u205e\u2070-\u2fff]*$/;

/** The same, in lines. */
const plain = /^[\n\x20-\x7e\xa0-\u05ff\u2010-\u2027\u2030-\u205e\u2070-\u2fff]*$/;

/** A stranger's text, fit for one line: what could steer a terminal is shown as `\u001b`. */
export function escapeForeign(text: string): string {
  if (plainLine.test(text)) return text;
  return text.replace(unsafe(), escapeCharacter);
}

/** A stranger's text of several lines; its line breaks stay. */
export function escapeForeignLines(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(unsafeInLines(), escapeCharacter);
}

/** Text in JSON, such as a line of it, that shows in a terminal as it is; parsed, it is the same. */
export function escapeJson(json: string): string {
  if (plain.test(json)) return json;
  return json.search(unsafeInLines()) === -1 ? json : escapeForeignLines(json);
}

/** A value as JSON that shows in a terminal as it is; parsed, it is the same value. */
export function foreignJson(value: unknown, indent?: number): string {
  // Outside of its strings JSON has no unsafe character but the line breaks of the indentation.
  return escapeJson(JSON.stringify(value, null, indent));
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * What a CI system does when it reads a log: `::x::` (GitHub), `##[x]` and `##vso[x]` (Azure and others),
 * wherever they are. In a text that others wrote, one sign of each is written as an escape.
 */
const commands = /(?<=:):|(?<=#)#(?=[a-z]*\[)/gi;

/** What every command has; most texts have none of it, which is seen much sooner. */
function mayCommand(text: string): boolean {
  return text.includes('::') || text.includes('##');
}

/** With `\u003a` and `\u0023`: to be read in text, and the same value in JSON. */
export function breakCommands(text: string): string {
  if (!mayCommand(text)) return text;
  return text.replace(commands, (sign) => (sign === ':' ? '\\u003a' : '\\u0023'));
}

/** With character references: the same text in XML, HTML and Markdown. */
export function breakCommandsInMarkup(text: string): string {
  if (!mayCommand(text)) return text;
  return text.replace(commands, (sign) => (sign === ':' ? '&#58;' : '&#35;'));
}
