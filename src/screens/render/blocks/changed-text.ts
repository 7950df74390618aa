import { type Html, html } from '../../../base/html.js';
import type { RenderContext } from '../context.js';
import type { TextPart } from './word-difference.js';

/**
 * A text with its changes inside the sentences. Changes are named for those who do not see them struck through and
 * underlined. Blank lines that both versions have separate paragraphs.
 */
export function changedText(context: RenderContext, parts: readonly TextPart[]): Html {
  const texts: Html[][] = [[]];
  for (const part of parts) {
    const [first, ...rest] = part.kind === 'kept' ? part.text.split(blankLine) : [part.text];
    texts.at(-1)?.push(changedPart(context, { ...part, text: first ?? '' }));
    for (const text of rest) texts.push([changedPart(context, { ...part, text })]);
  }
  return html`${texts.map((text) => html`<p>${text}</p>`)}`;
}

/** What separates paragraphs, as in `paragraphs`. */
const blankLine = /\r?\n[ \t]*\r?\n/;

function changedPart({ words, ownLang }: RenderContext, { kind, text }: TextPart): Html {
  if (kind === 'kept') return html`${text}`;
  const name = kind === 'removed' ? words.ops.del : words.ops.add;
  const named = html`<span class="vh"${ownLang}> ${name}: </span>${text}`;
  return kind === 'removed' ? html`<del>${named}</del>` : html`<ins>${named}</ins>`;
}
