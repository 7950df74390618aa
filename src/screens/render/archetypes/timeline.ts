import type { TimelineEventDefinition } from '#screen-definition';
import { type Html, html } from '../../../base/html.js';
import { toneMark } from '../blocks/badge.js';
import { paragraphs } from '../blocks/prose.js';
import type { RenderContext } from '../context.js';

/** What happened, in the order of the definition, with the present marked. */
export function timeline(context: RenderContext): Html {
  const { screen, words, at, ownLang, styles } = context;
  styles.add('feed').add('timeline');
  const { title, events = [], current } = screen.timeline ?? {};
  const items = events.map((event, index) => eventItem(context, event, index, index === current));
  const heading = title ? html`<h2>${title}</h2>` : html`<h2${ownLang}>${words.events}</h2>`;
  return html`<section class="card timeline" data-find-group${at('/timeline')}>${heading}<ol class="feed events">${items}</ol></section>`;
}

function eventItem(
  context: RenderContext,
  { time, title, text, actor, tone }: TimelineEventDefinition,
  index: number,
  current: boolean,
): Html {
  const { words, ownLang } = context;
  const now = current && html`<span class="tag now"${ownLang}>${words.current}</span>`;
  return html`<li${current ? html` class="current" aria-current="true"` : ''} data-find${context.at('/timeline', 'events', index)}>${toneMark(context, tone)}<div><p class="sub event-time"><bdi>${time}</bdi>${actor && html` · <bdi>${actor}</bdi>`} ${now}</p><h3>${title}</h3>${text && paragraphs(text)}</div></li>`;
}
