import { breakCommands, breakCommandsInMarkup, foreignJson } from './foreign-text.js';
import { balanceDirections } from './text-direction.js';

/** Entities for the special characters of XML and HTML, in texts and quoted attributes. */
export const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A piece of HTML that is safe to write unchanged. Only this file creates it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template: text is escaped, absent values are omitted, lists are joined. */
export type Content = Html | string | number | false | null | undefined | readonly Content[];

/** Special characters of HTML, and characters that could control a terminal, except tab and line feed. */
const specials = /[&<>"'\p{Zl}\p{Zp}\p{Bidi_Control}]|(?![\t\n])\p{Cc}/gu;
/** European letters and signs that are never escaped; most texts have no others, and this finds that fastest. */
const plain = /^[ !$%(-9;=?-~\xa0-\u05ff\u2010-\u2027]*$/;
/** Matches text in which something must be escaped. */
const special = /[&<>"'\p{Zl}\p{Zp}\p{Bidi_Control}]|(?![\t\n])\p{Cc}|::|##/u;

/**
 * Escapes text for HTML or a quoted attribute value. A terminal or the log of a CI system may show the page, so control
 * characters and commands are escaped too. Marks of direction affect only the text itself.
 */
export function escapeText(text: string): string {
  if (plain.test(text) || !special.test(text)) return text;
  const balanced = balanceDirections(text);
  return breakCommandsInMarkup(
    balanced.replace(specials, (char) => entities[char] ?? reference(char)),
  );
}

/** Returns a character reference. HTML has none for control characters except the carriage return. */
function reference(char: string): string {
  const code = char.charCodeAt(0);
  return code < 0xa0 && char !== '\r' ? '\ufffd' : `&#${code};`;
}

/** Returns HTML from a template; every value in it that is not HTML is escaped. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  let text = parts[0] ?? '';
  for (let index = 0; index < values.length; index++) {
    text += toText(values[index]) + (parts[index + 1] ?? '');
  }
  return new Html(text);
}

/** Items whose text is joined at a time. */
const drawnAtOnce = 100;

/**
 * Draws many items. It joins the text in batches: a concatenated string is a tree of its pieces, which for a long list
 * takes more memory and time than the text itself.
 */
export function drawEach<T>(items: readonly T[], draw: (item: T) => string): Html {
  let text = '';
  for (let from = 0; from < items.length; from += drawnAtOnce) {
    const parts = items.slice(from, from + drawnAtOnce).map((item) => draw(item));
    text += parts.join('');
  }
  return new Html(text);
}

/** Marks text that this program created (icons, styles, joined rows) as HTML. */
export function trusted(text: string): Html {
  return new Html(text);
}

function toText(value: Content): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'string') return escapeText(value);
  if (typeof value === 'number') return String(value);
  if (!value) return '';
  let text = '';
  for (const item of value) text += toText(item);
  return text;
}

/** Returns JSON for a script element, which it cannot end and in which it cannot start a comment. */
export function jsonIsland(value: unknown): Html {
  return new Html(breakCommands(foreignJson(value)).replaceAll('<', '\\u003c'));
}

/** Returns an http or https address, or undefined, because no other scheme may become a link. */
export function safeUrl(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}
