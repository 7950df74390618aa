import type { DocumentFragmentDefinition } from '#screen-definition';
import { type Html, html } from '../../../base/html.js';
import { generatedTag } from '../blocks/badge.js';
import { chatBody } from '../blocks/chat.js';
import { markdown } from '../blocks/markdown.js';
import { blankLine, paragraphs } from '../blocks/prose.js';
import { type TextPart, wordDifference } from '../blocks/word-difference.js';
import type { RenderContext } from '../context.js';

type FragmentOp = NonNullable<DocumentFragmentDefinition['op']>;

const icons = { edit: 'edit', add: 'plus', del: 'close' } as const;

/** Maximum number of fragments in a document that are compared word by word. */
const maxCompared = 14;

/** Draws a text with the agent's changes and remarks. The reader can switch to the clean text. */
export function documentReview(context: RenderContext): Html {
  const { screen, words, at, ownLang, styles } = context;
  styles.add('document').add('segments');
  const { title = '', source, fragments = [] } = screen.document ?? {};
  const legend = (['edit', 'add', 'del'] as const).map((op) => {
    const n = fragments.filter((item) => opOf(item) === op).length;
    return n > 0 && html`<li class="op-${op}">${changeName(context, op)} <b>${n}</b></li>`;
  });
  const flagged = fragments.flatMap(({ flag }, index) => (flag ? [{ flag, index }] : []));
  const remarks =
    flagged.length > 0 &&
    html`<section class="card remarks" data-find-group><h2><span${ownLang}>${words.marks}</span>${generatedTag(context)}</h2><ol>${flagged.map(({ flag, index }) => html`<li data-find-with="fragment-${index}"><a href="#fragment-${index}">${flag}</a></li>`)}</ol></section>`;
  const legendList = html`<ul class="legend-ops"${ownLang}>${legend}</ul>`;
  const parts = fragments.map((item, index) => fragment(context, item, index));
  return html`<article class="card document" data-find-group data-view-mode="changes"${at('/document')}><div class="card-head"><div><h2${at('/document/title')}>${title}</h2>${source && html`<p class="sub"${at('/document/source')}>${source}</p>`}</div><div class="segments js-only" role="group"${ownLang}><button type="button" data-mode="changes" aria-pressed="true">${words.changes}</button><button type="button" data-mode="clean" aria-pressed="false">${words.clean}</button></div></div>${legendList}<div class="fragments">${parts}</div></article>${remarks}`;
}

function changeName({ sprite, words }: RenderContext, op: keyof typeof icons): Html {
  return html`${sprite.icon(icons[op])}${words.ops[op]}`;
}

/** Returns the operation of a fragment. The default is `edit` if there is a previous text, otherwise `keep`. */
function opOf({ op, was }: DocumentFragmentDefinition): FragmentOp {
  return op ?? (was === undefined ? 'keep' : 'edit');
}

function fragment(context: RenderContext, item: DocumentFragmentDefinition, index: number): Html {
  const { words, sprite, at, ownLang } = context;
  const op = opOf(item);
  const label =
    op !== 'keep' &&
    html`<span class="op-label op-${op}"${ownLang}>${changeName(context, op)}</span>`;
  const flag =
    item.flag &&
    html`<aside class="remark">${sprite.icon('flag')}<div><p class="remark-head"><b${ownLang}>${words.flagged}</b>${generatedTag(context)}</p><p>${item.flag}</p></div></aside>`;
  return html`<section class="fragment op-${op}" id="fragment-${index}" data-find${at('/document', 'fragments', index)}>${label}${item.heading && html`<h3>${item.heading}</h3>`}${texts(context, item, op, index < maxCompared)}${flag}</section>`;
}

/** Draws the change of a text: word by word if `compared` is true, otherwise as the earlier and the later text. */
function texts(
  context: RenderContext,
  { text, was }: DocumentFragmentDefinition,
  op: FragmentOp,
  compared: boolean,
): Html {
  const { words, ownLang } = context;
  if (op === 'del') return html`<del>${paragraphs(text)}</del>`;
  if (op === 'add') return html`<ins>${paragraphs(text)}</ins>`;
  if (op === 'keep' || !was) return html`${paragraphs(text)}`;
  const parts = compared ? wordDifference(was, text) : undefined;
  if (parts) return changedText(context, parts);
  return html`<del><span class="vh"${ownLang}>${words.was}: </span>${paragraphs(was)}</del><ins><span class="vh"${ownLang}>${words.becomes}: </span>${paragraphs(text)}</ins>`;
}

/**
 * Draws a text with its changes marked inside the sentences. Hidden text describes each change for screen readers.
 * Unchanged blank lines separate paragraphs.
 */
function changedText(context: RenderContext, parts: readonly TextPart[]): Html {
  const texts: Html[][] = [[]];
  for (const part of parts) {
    const [first, ...rest] = part.kind === 'kept' ? part.text.split(blankLine) : [part.text];
    texts.at(-1)?.push(changedPart(context, { ...part, text: first ?? '' }));
    for (const text of rest) texts.push([changedPart(context, { ...part, text })]);
  }
  return html`${texts.map((text) => html`<p>${text}</p>`)}`;
}

function changedPart({ words, ownLang }: RenderContext, { kind, text }: TextPart): Html {
  if (kind === 'kept') return html`${text}`;
  const name = kind === 'removed' ? words.ops.del : words.ops.add;
  const named = html`<span class="vh"${ownLang}> ${name}: </span>${text}`;
  return kind === 'removed' ? html`<del>${named}</del>` : html`<ins>${named}</ins>`;
}

const typeIcons = {
  document: 'file',
  slides: 'layers',
  report: 'chart',
  table: 'table',
  letter: 'mail',
} as const;

/** Draws the assistant's result and the conversation about it. */
export function copilot(context: RenderContext): Html {
  const { screen, styles } = context;
  styles.add('copilot').add('prose');
  const chat =
    screen.ai &&
    html`<section class="card chat-card" aria-labelledby="assistant-title"${context.at('/ai')}><h2 id="assistant-title"${context.ownLang}>${context.words.chat}</h2>${chatBody(context)}</section>`;
  return html`<div class="copilot${chat ? '' : ' alone'}">${artifactCard(context)}${chat}</div>`;
}

function artifactCard(context: RenderContext): Html {
  const { screen, words, sprite, at, ownLang } = context;
  const { artifact } = screen;
  if (!artifact) return html``;
  const { type = 'document', title, version, preview, actions = [] } = artifact;
  const buttons = actions.map(
    (action, index) =>
      html`<button type="button" class="button" data-artifact-action="${action}"${at('/artifact', 'actions', index)}>${action}</button>`,
  );
  return html`<article class="card artifact"${at('/artifact')}><div class="card-head"><div class="artifact-title">${sprite.icon(typeIcons[type])}<div><h2>${title}</h2><p class="sub"><span${ownLang}>${words.artifact[type]}</span>${version && html` · <span${ownLang}>${words.version}</span> <bdi>${version}</bdi>`}</p></div></div>${generatedTag(context)}</div><div class="artifact-page prose"${at('/artifact/preview')}>${markdown(preview)}</div>${buttons.length > 0 && html`<div class="actions js-only">${buttons}</div>`}</article>`;
}
