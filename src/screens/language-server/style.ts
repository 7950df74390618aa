import { escapeForeign } from '../../base/foreign-text.js';
import { excerpt } from '../text/quote.js';

/** How words about a definition are set: as Markdown, or as plain text for clients that show no other. */
export interface Style {
  readonly isMarkdown: boolean;
  bold(text: string): string;
  code(text: string): string;
  /** A text, on one line; nothing in it is Markdown or steers what shows it. */
  text(text: string): string;
}

/** Characters of a definition's text that are repeated. */
const longest = 200;

export function createStyle(isMarkdown: boolean): Style {
  const text = (words: string): string =>
    isMarkdown ? escapeMarkdown(escapeForeign(words)) : escapeForeign(words);
  return {
    isMarkdown,
    text,
    bold: (words) => (isMarkdown ? `**${text(words)}**` : text(words)),
    code: (words) => (isMarkdown ? codeSpan(excerpt(words, longest)) : excerpt(words, longest)),
  };
}

function escapeMarkdown(text: string): string {
  // At the beginning of a line a few more signs mean something.
  return text.replace(/[\\`*_[\]#|~<>&]/g, '\\$&').replace(/^(\d*)([-+=.)])/, '$1\\$2');
}

/** A code span has a fence that its text does not have. */
function codeSpan(text: string): string {
  const longestRun = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longestRun + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}
