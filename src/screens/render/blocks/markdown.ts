import { type Html, html, safeUrl, trusted } from '../../../base/html.js';
import { trimEndOf } from '../../../base/trim-end.js';

/** Level of the first heading in a text, which is below the card's heading. */
const topLevel = 3;
const lowestLevel = 6;

/**
 * Converts plain text or Markdown to HTML. Supports headings, lists, quotes, tables, rules and paragraphs, and within a
 * line bold, italic, code and links (http and https only). HTML in the text is escaped.
 */
export function markdown(source: string): Html {
  const blocks: { readonly kind: Kind; readonly lines: string[] }[] = [];
  for (const line of source.split(/\r?\n/)) {
    const kind = kindOf(line);
    const last = blocks.at(-1);
    if (last?.kind === kind && !kind.single) last.lines.push(line);
    else blocks.push({ kind, lines: [line] });
  }
  let depth = topLevel - 1;
  const levelOf = (marks: number): number => {
    // The level increases by at most one per heading, even if the text skips a level.
    depth = Math.min(marks + topLevel - 1, depth + 1, lowestLevel);
    return depth;
  };
  return html`${blocks.map(({ kind, lines }) => kind.make(lines, levelOf))}`;
}

/** A kind of block. Consecutive lines of one kind form one block, unless the kind is `single`. */
interface Kind {
  readonly starts: RegExp;
  readonly single?: boolean;
  /** `levelOf` returns the level of a heading with the given number of `#` marks. */
  make(lines: readonly string[], levelOf: (marks: number) => number): Html;
}

const table = /^\s*\|(.*)\|\s*$/;
const quote = /^\s*>\s?(.*)$/;
const heading = /^(#{1,6})\s+(.*)$/s;

const kinds: readonly Kind[] = [
  { starts: /^\s*$/, make: () => html`` },
  {
    starts: heading,
    single: true,
    make: ([line = ''], levelOf) => {
      const [, marks = '', text = ''] = heading.exec(line) ?? [];
      return element(`h${levelOf(marks.length)}`, inline(trimEndOf(text, '#').trimEnd()));
    },
  },
  { starts: /^\s*([-*_])(\s*\1){2,}\s*$/, single: true, make: () => html`<hr>` },
  list(/^\s*[-*•]\s+(.*)$/s, 'ul'),
  list(/^\s*\d{1,3}[.)]\s+(.*)$/s, 'ol'),
  {
    starts: quote,
    make: (lines) =>
      html`<blockquote><p>${lines.map((line) => html`${inline(quote.exec(line)?.[1])} `)}</p></blockquote>`,
  },
  { starts: table, make: tableOf },
];

const paragraph: Kind = {
  starts: /./,
  make: (lines) =>
    html`<p>${lines.map((line, index) => html`${index > 0 && html`<br>`}${inline(line)}`)}</p>`,
};

function kindOf(line: string): Kind {
  return kinds.find(({ starts }) => starts.test(line)) ?? paragraph;
}

function list(starts: RegExp, tag: 'ul' | 'ol'): Kind {
  const item = (line: string): Html => html`<li>${inline(starts.exec(line)?.[1])}</li>`;
  return { starts, make: (lines) => element(tag, html`${lines.map(item)}`) };
}

function element(tag: string, { text }: Html): Html {
  return trusted(`<${tag}>${text}</${tag}>`);
}

function tableOf(lines: readonly string[]): Html {
  const rows = lines.map((line) => (table.exec(line)?.[1] ?? '').split('|'));
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

const spans =
  /`([^`]+)`|\*\*([^*]+)\*\*|__([^_]+)__|\*([^*\s][^*]*)\*|\[([^[\]]+)\]\(([^\s()]+)\)/g;

/** Converts bold, italic, code and links within a line. Everything else is text. */
function inline(text = ''): Html {
  const parts: Html[] = [];
  let end = 0;
  for (const found of text.matchAll(spans)) {
    const [whole, code, strong, strong2, emphasis, label, address = ''] = found;
    parts.push(html`${text.slice(end, found.index)}`);
    const url = safeUrl(address);
    if (code !== undefined) parts.push(html`<code>${code}</code>`);
    else if (strong ?? strong2) parts.push(html`<strong>${strong ?? strong2}</strong>`);
    else if (emphasis !== undefined) parts.push(html`<em>${emphasis}</em>`);
    else if (url) parts.push(html`<a href="${url}" rel="noopener noreferrer">${label}</a>`);
    else parts.push(html`${label} (${address})`);
    end = found.index + whole.length;
  }
  return html`${parts}${text.slice(end)}`;
}
