import { breakCommands, breakCommandsInMarkup, foreignJson } from './foreign-text.js';
import { balanceDirections } from './text-direction.js';

/** Entities for the special characters of XML and HTML, in text and quoted attributes. */
export const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** HTML that is safe to write unchanged. Only this file creates instances. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template. Text is escaped, absent values are omitted, and lists are joined. */
export type Content = Html | string | number | false | null | undefined | readonly Content[];

/** Special characters of HTML, and characters that could control a terminal, except tab and line feed. */
const specials = /[&<>"'\p{Zl}\p{Zp}\p{Bidi_Control}]|(?![\t\n])\p{Cc}/gu;
/** Matches text of characters that are never escaped. Most text matches, and this is the fastest check. */
const plain = /^[ !$%(-9;=?-~\xa0-\u05ff\u2010-\u2027]*$/;
/** Matches text that contains something to escape. */
const special = /[&<>"'\p{Zl}\p{Zp}\p{Bidi_Control}]|(?![\t\n])\p{Cc}|::|##/u;

/**
 * Escapes text for HTML or a quoted attribute value. A terminal or a CI log may show the page, so control characters
 * and CI commands are escaped too. Direction marks affect only the text itself.
 */
export function escapeText(text: string): string {
  if (plain.test(text) || !special.test(text)) return text;
  const balanced = balanceDirections(text);
  return breakCommandsInMarkup(
    balanced.replace(specials, (char) => entities[char] ?? reference(char)),
  );
}

/** Returns a character reference, or U+FFFD for a control character that HTML cannot reference. */
function reference(char: string): string {
  const code = char.charCodeAt(0);
  return code < 0xa0 && char !== '\r' ? '\ufffd' : `&#${code};`;
}

/** Returns HTML from a template. Values that are not `Html` are escaped. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  let text = parts[0] ?? '';
  for (let index = 0; index < values.length; index++) {
    text += toText(values[index]) + (parts[index + 1] ?? '');
  }
  return new Html(text);
}

/** Number of items whose text is joined in one batch. */
const batchSize = 100;

/**
 * Draws many items. Text is joined in batches, because a concatenated string is a tree of its pieces. For a long list,
 * that tree takes more memory and time than the text itself.
 */
export function drawEach<T>(items: readonly T[], draw: (item: T) => string): Html {
  let text = '';
  for (let from = 0; from < items.length; from += batchSize) {
    const parts = items.slice(from, from + batchSize).map((item) => draw(item));
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

/** Returns JSON for a script element. The JSON can neither end the element nor start a comment in it. */
export function jsonIsland(value: unknown): Html {
  return new Html(breakCommands(foreignJson(value)).replaceAll('<', '\\u003c'));
}

/** Returns the URL if its scheme is http or https, otherwise undefined. No other scheme may become a link. */
export function safeUrl(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}
