import type { WizardStepDefinition, WizardStepFieldDefinition } from '#screen-definition';
import { type Html, html } from '../../../base/html.js';
import type { RenderContext } from '../context.js';

/** Draws a form in steps. Values that the agent has filled in are marked. */
export function wizard(context: RenderContext): Html {
  const { screen, words, at, ownLang, sprite, styles } = context;
  styles.add('wizard').add('stepper');
  const { steps = [], current = 0 } = screen.wizard ?? {};
  const items = steps.map(({ title }, index) => {
    const state = index < current ? 'past' : index === current ? 'now' : 'later';
    const now = index === current ? html` aria-current="step"` : '';
    return html`<li class="${state}"${now}><button type="button" class="step" data-go="${index}"><span class="step-mark"><span class="number">${index + 1}</span>${sprite.icon('check')}</span><span>${title}</span></button></li>`;
  });
  const panels = steps.map((step, index) => stepPanel(context, step, index, index === current));
  return html`<section class="card wizard" id="wizard"${at('/wizard')}><ol class="stepper js-only" aria-label="${words.stages}">${items}</ol>${panels}<div class="actions js-only"${ownLang}><button type="button" class="button" data-wizard="-1">${words.back}</button><button type="button" class="button primary" data-wizard="1">${words.next}</button><button type="button" class="button primary" data-wizard="done" hidden>${words.done}</button><p class="muted" role="status" data-wizard-status></p></div></section>`;
}

function stepPanel(
  context: RenderContext,
  { title, desc, fields }: WizardStepDefinition,
  index: number,
  current: boolean,
): Html {
  const rows = fields.map((field, position) => formField(context, field, index, position));
  return html`<section class="wizard-step${current ? ' on' : ''}" id="step-${index}" tabindex="-1" aria-labelledby="step-title-${index}"${context.at('/wizard', 'steps', index)}><h2 id="step-title-${index}">${title}</h2>${desc && html`<p class="muted">${desc}</p>`}<div class="form">${rows}</div></section>`;
}

function formField(
  { words, sprite, at, ownLang }: RenderContext,
  { label, value, prefill, hint }: WizardStepFieldDefinition,
  step: number,
  index: number,
): Html {
  const id = `field-${step}-${index}`;
  const text = value === undefined ? '' : String(value);
  const long = text.length > 60;
  const describedBy = [prefill && `${id}-agent`, hint && `${id}-hint`].filter(Boolean).join(' ');
  const described = describedBy && html` aria-describedby="${describedBy}"`;
  const input = long
    ? html`<textarea id="${id}" rows="3"${described}>${text}</textarea>`
    : html`<input id="${id}" type="text" value="${text}" autocomplete="off"${described}>`;
  const agent =
    prefill &&
    html`<span class="ai-tag" id="${id}-agent"${ownLang}>${sprite.icon('sparkle')}${words.prefilled}</span>`;
  return html`<div class="field${prefill ? ' prefilled' : ''}"${at('/wizard', 'steps', step, 'fields', index)}><label for="${id}">${label}</label>${input}<p class="paper">${text}</p>${agent}${hint && html`<p class="sub" id="${id}-hint">${hint}</p>`}</div>`;
}
