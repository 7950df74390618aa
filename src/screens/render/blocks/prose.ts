import type { ActivityEventDefinition } from '#screen-definition';
import { type Html, html } from '../../../base/html.js';
import type { RenderContext } from '../context.js';
import { toneMark } from './badge.js';

/** Matches the blank line between paragraphs. */
export const blankLine = /\r?\n[ \t]*\r?\n/;

/** Splits a text into paragraphs at blank lines. Single line breaks are kept. */
export function paragraphs(text: string): readonly Html[] {
  return text
    .split(blankLine)
    .filter((part) => part.trim() !== '')
    .map((part) => html`<p>${part.trim()}</p>`);
}

/** Joins short texts with dots. Each text keeps its direction. */
export function joinTexts(texts: readonly string[]): readonly Html[] {
  return texts.map((text, index) => html`${index > 0 && ' · '}<bdi>${text}</bdi>`);
}

/** Draws the conclusion, which is always the last block. */
export function conclusionBlock({ screen, at, styles }: RenderContext): Html {
  const { conclusion } = screen;
  if (!conclusion) return html``;
  styles.add('prose').add('conclusion');
  const title = conclusion.title && html`<h2>${conclusion.title}</h2>`;
  return html`<section class="card conclusion prose"${at('/conclusion')}>${title}${paragraphs(conclusion.text)}</section>`;
}

export function activityFeed(context: RenderContext): Html {
  const { screen, words, at, ownLang, styles } = context;
  if (screen.activity.length === 0) return html``;
  styles.add('feed');
  const items = screen.activity.map((item, index) => activityItem(context, item, index));
  return html`<section class="card activity" data-find-group${at('/activity')}><h2${ownLang}>${words.activity}</h2><ol class="feed">${items}</ol></section>`;
}

function activityItem(context: RenderContext, item: ActivityEventDefinition, index: number): Html {
  const { title, time, ago, tone, who, tags = [], summary } = item;
  const meta = [who, time, ago].flatMap((part) => part || []);
  const labels = tags.map((tag) => html`<span class="tag">${tag}</span>`);
  return html`<li${context.at('/activity', index)} data-find>${toneMark(context, tone)}<div><h3>${title}</h3>${meta.length > 0 && html`<p class="sub">${joinTexts(meta)}</p>`}${summary && html`<p>${summary}</p>`}${labels.length > 0 && html`<p class="tags">${labels}</p>`}${activityLink(context, item)}</div></li>`;
}

/** Maximum length of the part of an activity entry that is searched for record names, in characters. */
const maxSearched = 1_000;

/** Maximum number of comparisons between activity entries and records. Further links are drawn as text. */
const maxComparisons = 2_000_000;

/** Draws an entry's link to the record whose name the entry contains. Without such a record, the link is text. */
function activityLink(
  { screen, sprite, memo }: RenderContext,
  { title, summary = '', link }: ActivityEventDefinition,
): Html {
  if (!link) return html``;
  const text = `${link}\n${title}\n${summary}`.slice(0, maxSearched);
  const rows = memo.comparisons < maxComparisons ? (screen.table?.rows ?? []) : [];
  const row = rows.find(({ cells }) => {
    memo.comparisons += 1;
    const name = Object.hasOwn(cells, screen.drawer.titleKey) && cells[screen.drawer.titleKey];
    return typeof name === 'string' && name.length > 1 && text.includes(name);
  });
  if (!row) return html`<p class="sub">${link}</p>`;
  return html`<p><a class="more open-row" href="#row-${row.index}" data-open="${row.index}">${link}${sprite.icon('chevron-right')}</a></p>`;
}
