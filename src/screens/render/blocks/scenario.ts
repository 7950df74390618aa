import { type Html, html } from '../../../base/html.js';
import type { ScreenRow } from '../../normalise/table.js';
import { type RenderContext, rowTitle } from '../context.js';
import { generatedTag, statusBadge, toneBadge } from './badge.js';

/** Draws the scenario card: the headline, the agent's summary, the main action and its reverse. */
export function scenarioCard(context: RenderContext): Html {
  const { screen, at, styles } = context;
  const { scenario, archetype } = screen;
  if (!scenario) return html``;
  styles.add('scenario');
  // Archetypes with a reading pane have the buttons there, for the open record.
  const inPane = archetype === 'inbox' || archetype === 'compare';
  const headline = html`<h2${at('/scenario/headline')}>${scenario.headline || scenario.control}</h2>`;
  if (inPane && !scenario.aiSummary) return headline;
  const summary =
    scenario.aiSummary &&
    html`<div class="generated"${at('/scenario/aiSummary')}>${generatedTag(context)}<p>${scenario.aiSummary}</p></div>`;
  return html`<section class="card scenario" id="scenario"${at('/scenario')}>
${headline}
${summary}
${inPane ? '' : html`${targetLine(context)}${scenarioButtons(context)}`}</section>`;
}

/** Draws the title of the record that the buttons act on: the first undecided one, or else the first rejected one. */
function targetLine(context: RenderContext): Html {
  const { screen, words, say, ownLang } = context;
  const { rows = [] } = screen.table ?? {};
  if (rows.length === 0) return html`<p class="target" data-result></p>`;
  const rejected = screen.scenario?.rejected?.key;
  const next =
    rows.find((row) => row.status !== rejected && isUndecided(context, row)) ??
    rows.find((row) => isUndecided(context, row));
  const text = next ? say(words.target, { title: rowTitle(context, next) }) : words.nothingLeft;
  return html`<p class="target" data-target${ownLang}>${text}</p>`;
}

function isUndecided({ screen, known }: RenderContext, { status }: ScreenRow): boolean {
  const found = known.statuses.get(status);
  return !found?.dim && (found === undefined || found.key !== screen.scenario?.approved?.key);
}

/** Draws the buttons of the main action and its reverse. They also appear in each record. */
export function scenarioButtons({ screen, at }: RenderContext): Html {
  const { scenario } = screen;
  if (!scenario) return html``;
  const reject =
    scenario.reject &&
    html`<button type="button" class="button" data-act="reject"${at('/scenario/reject')}>${scenario.reject}</button>`;
  return html`<div class="actions js-only"><button type="button" class="button primary" data-act="approve"${at('/scenario/control')}>${scenario.control}</button>${reject}</div>`;
}

/** Draws the confirmation dialog of the main action, in which the reader can select and edit a variant. */
export function confirmDialog(context: RenderContext): Html {
  const { screen, words, at, ownLang, contentLang, styles } = context;
  const { scenario } = screen;
  if (!scenario) return html``;
  styles.add('scenario');
  const question = scenario.confirmText
    ? html`<p${at('/scenario/confirmText')}>${scenario.confirmText}</p>`
    : html`<p${ownLang}>${words.confirmDefault}</p>`;
  const result =
    scenario.approved &&
    html`<p class="result"><span${ownLang}>${words.statusChange}:</span> ${statusBadge(context, scenario.approved.key)}</p>`;
  return html`<dialog class="dialog" id="confirm" aria-labelledby="confirm-title"><form method="dialog">
<h2 id="confirm-title">${scenario.control}</h2><p class="target"></p>${question}${actionVariants(context)}${result}
<div class="actions"${ownLang}><button type="button" class="button" value="cancel">${words.cancel}</button><button class="button primary" value="ok"${contentLang}>${scenario.control}</button></div></form></dialog>`;
}

function actionVariants({ screen, words, at, ownLang, styles }: RenderContext): Html {
  const actions = screen.scenario?.actions ?? [];
  if (actions.length === 0) return html``;
  styles.add('variants');
  const choices = actions.map(
    (action, index) =>
      html`<label class="choice"${at('/scenario', 'actions', index)}><input type="radio" name="variant" value="${action}"${index === 0 ? html` checked` : ''}><span>${action}</span></label>`,
  );
  return html`<fieldset class="variants"${at('/scenario/actions')}><legend${ownLang}>${words.variants}</legend>${choices}</fieldset><label class="field"><span${ownLang}>${words.wording}</span><textarea name="wording" rows="2">${actions[0]}</textarea></label>`;
}

/** Draws the results that the page script shows after an action on a screen without a list. */
export function resultTemplates(context: RenderContext): Html {
  const { scenario, table } = context.screen;
  if (!scenario || (table && table.rows.length > 0)) return html``;
  const { approved, rejected, control, reject = '' } = scenario;
  return html`<template id="results">${toneBadge(context, approved?.label ?? control, approved?.tone ?? 'ok')}${toneBadge(context, rejected?.label ?? reject, rejected?.tone ?? 'warn')}</template>`;
}
