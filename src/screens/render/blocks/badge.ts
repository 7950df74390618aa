import type { Tone } from '#screen-definition';
import { type Html, html } from '../../../base/html.js';
import type { RenderContext } from '../context.js';

/** Draws a status with its tone as colour and shape. An undeclared status appears as written. */
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

/** Draws a tone as a shape, with its name for screen readers, before the text that it belongs to. */
export function toneMark({ sprite, words, ownLang }: RenderContext, tone: Tone | undefined): Html {
  if (!tone) return html`<span class="mark"></span>`;
  return html`<span class="mark t-${tone}">${sprite.icon(tone)}<span class="vh"${ownLang}>${words.tones[tone]}: </span></span>`;
}

/** Draws a tone as a shape, with its name for screen readers, after the text that it belongs to. */
export function toneSign({ sprite, words, ownLang }: RenderContext, tone: Tone): Html {
  return html`<span class="mark t-${tone}">${sprite.icon(tone)}<span class="vh"${ownLang}>${words.tones[tone]}</span></span>`;
}

/** Draws the label that marks generated text. */
export function generatedTag({ sprite, words, ownLang }: RenderContext): Html {
  return html`<span class="ai-tag"${ownLang}>${sprite.icon('sparkle')}${words.generated}</span>`;
}

/** Draws one badge for each status, for the page script to copy. */
export function badgeTemplates(context: RenderContext): Html {
  const badges = context.screen.statuses.map(({ key }) => statusBadge(context, key));
  return html`<template id="badges">${badges}</template>`;
}
