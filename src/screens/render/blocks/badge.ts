import type { Tone } from '#screen-definition';
import { type Html, html } from '../../../base/html.js';
import type { RenderContext } from '../context.js';

/** Draws a status badge. Colour and icon show the tone. An undeclared status appears as written. */
export function statusBadge(context: RenderContext, key: string | undefined): Html {
  if (!key) return html``;
  let badge = context.memo.badges.get(key);
  if (badge === undefined) {
    const { label, tone } = context.known.statuses.get(key) ?? {};
    badge = toneBadge(context, label || key, tone);
    context.memo.badges.set(key, badge);
  }
  return badge;
}

export function toneBadge({ sprite }: RenderContext, text: string, tone: Tone | undefined): Html {
  if (!tone) return html`<span class="badge">${text}</span>`;
  return html`<span class="badge t-${tone}">${sprite.icon(tone)}${text}</span>`;
}

/** Draws the icon of a tone before a text, with the tone's name for screen readers. */
export function toneMark({ sprite, words, ownLang }: RenderContext, tone: Tone | undefined): Html {
  if (!tone) return html`<span class="mark"></span>`;
  return html`<span class="mark t-${tone}">${sprite.icon(tone)}<span class="vh"${ownLang}>${words.tones[tone]}: </span></span>`;
}

/** Draws the icon of a tone after a text, with the tone's name for screen readers. */
export function toneSign({ sprite, words, ownLang }: RenderContext, tone: Tone): Html {
  return html`<span class="mark t-${tone}">${sprite.icon(tone)}<span class="vh"${ownLang}>${words.tones[tone]}</span></span>`;
}

/** Draws the label that marks generated text. */
export function generatedTag({ sprite, words, ownLang }: RenderContext): Html {
  return html`<span class="ai-tag"${ownLang}>${sprite.icon('sparkle')}${words.generated}</span>`;
}

/** Draws one badge for each status. The page script copies them. */
export function badgeTemplates(context: RenderContext): Html {
  const badges = context.screen.statuses.map(({ key }) => statusBadge(context, key));
  return html`<template id="badges">${badges}</template>`;
}
