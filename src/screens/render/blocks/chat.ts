import { type Html, html } from '../../../base/html.js';
import type { Screen } from '../../normalise/normalise.js';
import type { RenderContext } from '../context.js';
import { generatedTag } from './badge.js';

/** Returns the position of the assistant: `inline` if it is part of the page, otherwise `panel`. */
export function chatPosition(screen: Screen): 'inline' | 'panel' {
  const inline =
    screen.archetype === 'copilot' ||
    (screen.archetype === 'custom' && screen.sections.some(({ shown }) => shown === 'chat'));
  return inline ? 'inline' : 'panel';
}

export function chatPanel(context: RenderContext): Html {
  const { screen, words, sprite, ownLang, styles } = context;
  if (!screen.ai || chatPosition(screen) === 'inline') return html``;
  styles.add('drawer');
  return html`<dialog class="drawer" id="assistant" aria-labelledby="assistant-title"><div class="drawer-head"><h2 id="assistant-title"${ownLang}>${words.chat}</h2><form method="dialog"><button class="button icon-button quiet" aria-label="${words.close}"${ownLang}>${sprite.icon('close')}</button></form></div>${chatBody(context)}</dialog>`;
}

/** Draws the conversation. It contains only prepared answers; in production, your backend answers questions. */
export function chatBody(context: RenderContext): Html {
  const { screen, words, sprite, at, ownLang, styles } = context;
  const { ai } = screen;
  if (!ai) return html``;
  styles.add('chat');
  const intro =
    ai.intro &&
    html`<div class="message"${at('/ai/intro')}>${generatedTag(context)}<p>${ai.intro}</p></div>`;
  const suggestions = (ai.suggestions ?? []).map(
    (text, index) =>
      html`<button type="button" class="chip" data-ask="${text}"${at('/ai', 'suggestions', index)}>${text}</button>`,
  );
  return html`<div class="chat" id="chat"><div class="messages" role="log" aria-label="${words.chat}" tabindex="0">${intro}</div><div class="chips js-only" role="group" aria-label="${words.suggestions}">${suggestions}</div><form class="ask js-only"${ownLang}><input type="text" aria-label="${words.question}" placeholder="${words.question}" autocomplete="off"><button class="button primary icon-button" aria-label="${words.ask}">${sprite.icon('send')}</button></form><template class="message-template"><div class="message">${generatedTag(context)}<p></p></div></template></div>`;
}

/** Draws the prepared answers, which the page script uses. They are readable without JavaScript. */
export function chatAnswers(context: RenderContext): Html {
  const { screen, words, at, ownLang, styles } = context;
  const { ai } = screen;
  if (!ai) return html``;
  styles.add('chat');
  const answers = Object.entries(ai.answers ?? {}).map(
    ([question, answer]) =>
      html`<details${at('/ai', 'answers', question)}><summary>${question}</summary>${generatedTag(context)}<p>${answer}</p></details>`,
  );
  if (answers.length === 0 && !ai.fallback) return html``;
  const fallback = ai.fallback && html`<p id="fallback"${at('/ai/fallback')}>${ai.fallback}</p>`;
  return html`<section class="card no-js" id="answers"><h2${ownLang}>${words.chat}</h2>${answers}${fallback}</section>`;
}
