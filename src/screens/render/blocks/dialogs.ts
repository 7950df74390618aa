import type { SlideDefinition } from '#screen-definition';
import { drawEach, type Html, html } from '../../../base/html.js';
import type { ScreenColumn, ScreenStatus } from '../../normalise/table.js';
import type { RenderContext } from '../context.js';
import { unknownIcon } from './navigation.js';
import { scenarioButtons } from './scenario.js';
import { openerOf } from './table.js';

/** Returns the label of the create button. The default is "New" and the name of the entity. */
export function createLabel({ screen, words, say }: RenderContext): string {
  const { createLabel: label, entity } = screen.product;
  return label || say(words.create, { entity: lowerFirst(entity) });
}

/** Lowercases an entity's first letter for use inside a phrase. Abbreviations such as SLA stay unchanged. */
function lowerFirst(text: string): string {
  const [first = '', second = ''] = [...text];
  if (second !== second.toLowerCase()) return text;
  return first.toLowerCase() + text.slice(first.length);
}

/** Draws the dialog that creates a record, with the stages of the creation wizard. */
export function createDialog(context: RenderContext): Html {
  const { screen, words, ownLang } = context;
  const { table } = screen;
  const columns = table?.columns ?? [];
  const naming = table && openerOf(context, table);
  const statuses = options(screen.statuses);
  const fields = columns.map((column, index) => formField(column, statuses, index === naming));
  return html`<dialog class="dialog" id="create" aria-labelledby="create-title"><form method="dialog"><h2 id="create-title">${createLabel(context)}</h2>${stages(context)}<div class="form">${fields}</div>${columns.length > 0 && html`<p class="muted"${ownLang}>${words.createHint}</p>`}<div class="actions"${ownLang}><button type="button" class="button" value="cancel">${words.cancel}</button><button class="button primary" value="ok">${words.done}</button></div></form></dialog>`;
}

function stages({ screen, words, at, sprite, styles }: RenderContext): Html {
  const { steps } = screen;
  if (!steps) return html``;
  styles.add('stepper');
  const items = steps.items.map((item, index) => {
    const number = index + 1;
    const state = number < steps.current ? 'past' : number === steps.current ? 'now' : 'later';
    const mark = state === 'past' ? sprite.icon('check') : number;
    return html`<li class="${state}"${state === 'now' ? html` aria-current="step"` : ''}${at('/steps', 'items', index)}><span class="step-mark">${mark}</span><span>${item}</span></li>`;
  });
  return html`<ol class="stepper" aria-label="${words.stages}"${at('/steps')}>${items}</ol>`;
}

const inputTypes = { text: 'text', num: 'number', date: 'date', status: 'text' } as const;

function options(choices: readonly Pick<ScreenStatus, 'key' | 'label'>[]): Html {
  return drawEach(choices, ({ key, label }) => html`<option value="${key}">${label}</option>`.text);
}

/** Draws the input field of a column. `statuses` are the options of a status column. */
function formField(column: ScreenColumn, statuses: Html, isName: boolean): Html {
  const { key, label, type, values = [] } = column;
  const name = label || key;
  const known = type === 'status' ? statuses : html``;
  const list = known.text ? known : options(values.map((value) => ({ key: value, label: value })));
  if (list.text === '') {
    const step = type === 'num' ? html` step="any"` : '';
    return html`<label class="field"><span>${name}</span><input type="${inputTypes[type]}"${step} data-key="${key}"${isName && html` data-name`}></label>`;
  }
  return html`<label class="field"><span>${name}</span><select data-key="${key}">${list}</select></label>`;
}

/** Draws an empty drawer, which the page script fills with the details of the open row. */
export function drawer(context: RenderContext): Html {
  const { screen, words, sprite, at, ownLang, styles } = context;
  if (!screen.table) return html``;
  styles.add('drawer');
  return html`<dialog class="drawer" id="drawer" aria-labelledby="drawer-title"${at('/drawer')}>
<div class="drawer-head"><div><h2 id="drawer-title"></h2><p class="drawer-status"></p></div><form method="dialog"><button class="button icon-button quiet" aria-label="${words.close}"${ownLang}>${sprite.icon('close')}</button></form></div>
<div class="drawer-body" tabindex="0" role="region" aria-labelledby="drawer-title"></div>
<div class="drawer-foot">${scenarioButtons(context)}<div class="steps-between"${ownLang}><button type="button" class="button icon-button quiet" data-step="-1" aria-label="${words.previous}">${sprite.icon('chevron-left')}</button><button type="button" class="button icon-button quiet" data-step="1" aria-label="${words.next}">${sprite.icon('chevron-right')}</button></div></div></dialog>`;
}

/** Draws the slides for the first visit. The default slides describe the product. */
export function onboardingDialog(context: RenderContext): Html {
  const { screen, words, ownLang, sprite, styles } = context;
  const slides = screen.onboarding ?? defaultSlides(context);
  if (slides.length === 0) return html``;
  styles.add('onboarding');
  const lang = screen.onboarding === undefined ? ownLang : '';
  const items = slides.map((slide, index) => slideItem(context, slide, index));
  return html`<dialog class="dialog onboarding" id="onboarding" aria-labelledby="slide-0"><div class="slides"${lang}>${items}</div><form method="dialog" class="actions"${ownLang}><span class="dots" aria-hidden="true">${slides.map(() => html`<i></i>`)}</span><span class="slide-count vh" role="status"></span><button type="button" class="button" data-slide="-1">${words.back}</button><button type="button" class="button primary" data-slide="1">${words.next}</button><button class="button primary" value="done">${words.start}</button><button class="button icon-button quiet close" aria-label="${words.close}">${sprite.icon('close')}</button></form></dialog>`;
}

function slideItem(
  context: RenderContext,
  { icon, title, text }: SlideDefinition,
  index: number,
): Html {
  return html`<section class="slide"${context.at('/onboarding', index)}><span class="slide-icon">${context.sprite.icon(icon ?? 'sparkle')}</span>${unknownIcon(context, icon)}<h2 id="slide-${index}">${title}</h2><p>${text}</p></section>`;
}

function defaultSlides({ screen, words, say }: RenderContext): readonly SlideDefinition[] {
  const { product, scenario } = screen;
  const text = product.purpose || say(words.welcomeText, { entity: product.entity });
  const slides: SlideDefinition[] = [
    { icon: 'star', title: say(words.welcome, { name: product.name }), text },
    { icon: 'list', title: words.welcomeList, text: words.welcomeListText },
  ];
  if (scenario) {
    const { headline, control } = scenario;
    slides.push({
      icon: 'check',
      title: headline || control,
      text: say(words.welcomeActText, { control }),
    });
  }
  return slides;
}
