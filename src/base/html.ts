import { breakCommands, breakCommandsInMarkup, foreignJson } from './foreign-text.js';
import { balanceDirections } from './text-direction.js';

/** What stands for the signs that XML and HTML are made of, in texts and quoted attributes. */
export const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A piece of HTML that is safe to write as it is. Only this file and the tag below make it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template: text is escaped, absent things are left out, lists are joined. */
export type Content = Html | string | number | false | null | undefined | readonly Content[];

/** Marks of HTML, and what could steer a terminal that shows the page (but for tab and line feed). */
const specials = /[&<>"'\p{Zl}\p{Zp}\p{Bidi_Control}]|(?![\t\n])\p{Cc}/gu;
/** European letters and signs of which none is ever escaped; most texts have no others, which is seen soonest. */
const plain = /^[ !$%(-9;=?-~\xa0-\u05ff\u2010-\u2027]*$/;
/** Whether there is anything to do at all. */
const special = /[&<>"'\p{Zl}\p{Zp}\p{Bidi_Control}]|(?![\t\n])\p{Cc}|::|##/u;

/**
 * Text as HTML text or as a quoted attribute value. A page may be shown by a terminal or in the log of a
 * CI: no sign and no command for them stands in it as it is. Its marks of direction turn nothing around it.
 */
export function escapeText(text: string): string {
  if (plain.test(text) || !special.test(text)) return text;
  const balanced = balanceDirections(text);
  return breakCommandsInMarkup(
    balanced.replace(specials, (char) => entities[char] ?? reference(char)),
  );
}

/** HTML has no reference for the controls, but for the carriage return. */
function reference(char: string): string {
  const code = char.charCodeAt(0);
  return code < 0xa0 && char !== '\r' ? '\ufffd' : `&#${code};`;
}

/** HTML from a template; everything put into it is escaped unless it is HTML already. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  let text = parts[0] ?? '';
  for (let index = 0; index < values.length; index++) {
    text += toText(values[index]) + (parts[index + 1] ?? '');
  }
  return new Html(text);
}

/** Things whose text is written out together. */
const drawnAtOnce = 100;

/**
 * Many things drawn one after another. A text that is put together is a tree of its pieces until somebody
 * reads it; of a long list that tree takes more memory, and time, than the text: it is written out on the way.
 */
export function drawEach<T>(items: readonly T[], draw: (item: T) => string): Html {
  let text = '';
  for (let from = 0; from < items.length; from += drawnAtOnce) {
    const parts = items.slice(from, from + drawnAtOnce).map((item) => draw(item));
    text += parts.join('');
  }
  return new Html(text);
}

/** Marks text that this program wrote itself (icons, styles, joined rows) as HTML. */
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

/** JSON for a data island: nothing in it can end the script element or begin a comment. */
export function jsonIsland(value: unknown): Html {
  return new Html(breakCommands(foreignJson(value)).replaceAll('<', '\\u003c'));
}

/** An http or https address, or undefined: no other scheme ever becomes a link. */
export function safeUrl(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}
