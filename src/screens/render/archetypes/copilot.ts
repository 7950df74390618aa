import { type Html, html } from '../../../base/html.js';
import { generatedTag } from '../blocks/badge.js';
import { chatBody } from '../blocks/chat.js';
import { markdown } from '../blocks/markdown.js';
import type { RenderContext } from '../context.js';

const typeIcons = {
  document: 'file',
  slides: 'layers',
  report: 'chart',
  table: 'table',
  letter: 'mail',
} as const;

/** What the assistant has made, and the conversation about it. */
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
