import { trimEndOf } from '../../../base/trim-end.js';
import { type Html, html, safeUrl, trusted } from '../html.js';

/** Headings of a text stand below the heading of its card. */
const topLevel = 3;
const lowestLevel = 6;

/**
 * Plain text or Markdown as HTML: headings, lists, quotes, tables, rules, paragraphs, and within a line
 * bold, italic, code and links (http and https only). HTML in the text stays text.
 */
export function markdown(source: string): Html {
  const lines = source.split(/\r?\n/);
  const blocks: Html[] = [];
  let depth = topLevel - 1;
  let at = 0;
  while (at < lines.length) {
    const kind = kinds.find(({ starts }) => starts.test(lines[at] ?? '')) ?? paragraph;
    let end = at + 1;
    while (end < lines.length && kind.goesOn(lines[end] ?? '')) end += 1;
    const made = kind.make(lines.slice(at, end), depth);
    if (made.depth) depth = made.depth;
    blocks.push(made.html);
    at = end;
  }
  return html`${blocks}`;
}

interface Kind {
  readonly starts: RegExp;
  /** Whether a following line still belongs to the block. */
  goesOn(line: string): boolean;
  make(lines: readonly string[], depth: number): { readonly html: Html; readonly depth?: number };
}

const marks = {
  blank: /^\s*$/,
  heading: /^(#{1,6})\s+(.*)$/s,
  rule: /^\s*([-*_])(\s*\1){2,}\s*$/,
  bullet: /^\s*[-*•]\s+(.*)$/s,
  numbered: /^\s*\d{1,3}[.)]\s+(.*)$/s,
  quote: /^\s*>\s?(.*)$/,
  table: /^\s*\|(.*)\|\s*$/,
} as const;

function list(mark: RegExp, tag: 'ul' | 'ol'): Kind {
  return {
    starts: mark,
    goesOn: (line) => mark.test(line) && !marks.rule.test(line),
    make: (lines) => {
      const items = lines.map((line) => html`<li>${inline(mark.exec(line)?.[1] ?? '')}</li>`);
      return { html: html`${trusted(`<${tag}>`)}${items}${trusted(`</${tag}>`)}` };
    },
  };
}

const kinds: readonly Kind[] = [
  {
    starts: marks.blank,
    goesOn: (line) => marks.blank.test(line),
    make: () => ({ html: html`` }),
  },
  {
    starts: marks.heading,
    goesOn: () => false,
    make: ([line = ''], depth) => {
      const [, hashes = '#', text = ''] = marks.heading.exec(line) ?? [];
      // No level is skipped on the way down, whatever the text does.
      const level = Math.min(hashes.length + topLevel - 1, depth + 1, lowestLevel);
      const tag = `h${level}`;
      return {
        html: html`${trusted(`<${tag}>`)}${inline(trimEndOf(text, '#').trimEnd())}${trusted(`</${tag}>`)}`,
        depth: level,
      };
    },
  },
  { starts: marks.rule, goesOn: () => false, make: () => ({ html: html`<hr>` }) },
  list(marks.bullet, 'ul'),
  list(marks.numbered, 'ol'),
  {
    starts: marks.quote,
    goesOn: (line) => marks.quote.test(line),
    make: (lines) => ({
      html: html`<blockquote><p>${lines.map((line) => html`${inline(marks.quote.exec(line)?.[1] ?? '')} `)}</p></blockquote>`,
    }),
  },
  {
    starts: marks.table,
    goesOn: (line) => marks.table.test(line),
    make: (lines) => ({ html: table(lines) }),
  },
];

const paragraph: Kind = {
  starts: /./,
  goesOn: (line) => !kinds.some(({ starts }) => starts.test(line)),
  make: (lines) => ({
    html: html`<p>${lines.map((line, index) => html`${index > 0 && html`<br>`}${inline(line)}`)}</p>`,
  }),
};

function table(lines: readonly string[]): Html {
  const rows = lines.map((line) => (marks.table.exec(line)?.[1] ?? '').split('|'));
  const isRuler = (cells: readonly string[]): boolean =>
    cells.every((cell) => /^\s*:?-+:?\s*$/.test(cell));
  const [first = [], second = [], ...rest] = rows;
  const headed = isRuler(second);
  const body = headed ? rest : rows;
  const head =
    headed &&
    html`<thead><tr>${first.map((cell) => html`<th scope="col">${inline(cell.trim())}</th>`)}</tr></thead>`;
  return html`<table>${head}<tbody>${body.map((cells) => html`<tr>${cells.map((cell) => html`<td>${inline(cell.trim())}</td>`)}</tr>`)}</tbody></table>`;
}

const spans = /`([^`]+)`|\*\*([^*]+)\*\*|__([^_]+)__|\*([^*\s][^*]*)\*|\[([^[\]]+)\]\(([^\s()]+)\)/;

/** Bold, italic, code and links; everything else is text. */
function inline(text: string): Html {
  const parts: Html[] = [];
  let rest = text;
  for (;;) {
    const found = spans.exec(rest);
    if (!found) break;
    const [whole, code, strong, strong2, emphasis, label, address = ''] = found;
    parts.push(html`${rest.slice(0, found.index)}`);
    const url = safeUrl(address);
    if (code !== undefined) parts.push(html`<code>${code}</code>`);
    else if (strong ?? strong2) parts.push(html`<strong>${strong ?? strong2}</strong>`);
    else if (emphasis !== undefined) parts.push(html`<em>${emphasis}</em>`);
    else if (url) parts.push(html`<a href="${url}" rel="noopener noreferrer">${label}</a>`);
    else parts.push(html`${label} (${address})`);
    rest = rest.slice(found.index + whole.length);
  }
  return html`${parts}${rest}`;
}
