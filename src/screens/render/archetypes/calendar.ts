import type { TimelineEventDefinition } from '#screen-definition';
import { type Html, html } from '../../../base/html.js';
import { isolateDirection } from '../../../base/text-direction.js';
import { fromDay } from '../../definition/values.js';
import type { ScreenEvent } from '../../normalise/archetype-blocks.js';
import { toneBadge, toneMark } from '../blocks/badge.js';
import { paragraphs } from '../blocks/prose.js';
import type { RenderContext } from '../context.js';
import { formatDay } from '../format.js';

/** Draws one grid per month, followed by a list of the same events by day. */
export function calendar(context: RenderContext): Html {
  const { screen, words, at, ownLang, sprite, styles } = context;
  styles.add('calendar');
  const { title, range, events = [] } = screen.calendar ?? {};
  const byDay = eventsByDay(events);
  const days = [...byDay.keys()].flatMap((day) => day ?? []);
  const months = [...new Set(days.map((day) => fromDay(day).slice(0, 7)))];
  const grids = months.map((month, index) => monthGrid(context, month, byDay, index === 0));
  const turn =
    months.length > 1 &&
    html`<div class="month-turn js-only"${ownLang}><button type="button" class="button icon-button" data-month="-1" aria-label="${words.previous}">${sprite.icon('chevron-left')}</button><button type="button" class="button icon-button" data-month="1" aria-label="${words.next}">${sprite.icon('chevron-right')}</button></div>`;
  const heading = title ? html`<h2>${title}</h2>` : html`<h2${ownLang}>${words.events}</h2>`;
  return html`<section class="card calendar" id="calendar" data-find-group${at('/calendar')}><div class="card-head"><div>${heading}${range && html`<p class="sub">${range}</p>`}</div>${turn}</div><div class="months">${grids}</div>${agenda(context, byDay)}</section>`;
}

/** Events by day (days since 1970-01-01). The key `undefined` contains events without a valid date. */
type EventsByDay = ReadonlyMap<number | undefined, readonly ScreenEvent[]>;

function eventsByDay(events: readonly ScreenEvent[]): EventsByDay {
  const byDay = new Map<number | undefined, ScreenEvent[]>();
  for (const event of events) {
    const known = byDay.get(event.day);
    if (known) known.push(event);
    else byDay.set(event.day, [event]);
  }
  return byDay;
}

function monthGrid(
  { words, locale, sprite }: RenderContext,
  month: string,
  byDay: EventsByDay,
  shown: boolean,
): Html {
  const [year = 1970, number = 1] = month.split('-').map(Number);
  const first = Date.UTC(year, number - 1, 1) / 86_400_000;
  const days = new Date(Date.UTC(year, number, 0)).getUTCDate();
  // 1 January 1970 was a Thursday; weeks begin on Monday.
  const lead = (((first + 3) % 7) + 7) % 7;
  const cells = Array.from({ length: Math.ceil((lead + days) / 7) * 7 }, (_, index) => {
    const day = first + index - lead;
    if (index < lead || index >= lead + days) return html`<td class="out"></td>`;
    const items = (byDay.get(day) ?? []).map(
      ({ title, tone, index: event }) =>
        html`<a class="event${tone ? ` t-${tone}` : ''}" href="#event-${event}" data-find-with="event-${event}" title="${title}">${tone ? sprite.icon(tone) : ''}<span>${title}</span></a>`,
    );
    return html`<td${items.length > 0 ? html` class="busy"` : ''}><time datetime="${fromDay(day)}">${index - lead + 1}</time>${items}</td>`;
  });
  const weeks = Array.from(
    { length: cells.length / 7 },
    (_, week) => html`<tr>${cells.slice(week * 7, week * 7 + 7)}</tr>`,
  );
  const name = `${words.months.split(' ')[number - 1] ?? ''} ${year}`;
  return html`<table class="month${shown ? ' on' : ''}" data-month-grid><caption lang="${locale}">${name}</caption><thead lang="${locale}"><tr>${words.weekdays.split(' ').map((day) => html`<th scope="col">${day}</th>`)}</tr></thead><tbody>${weeks}</tbody></table>`;
}

function agenda(context: RenderContext, byDay: EventsByDay): Html {
  const { locale, words, ownLang } = context;
  const groups = [...byDay].map(([day, items]) => {
    const heading =
      day === undefined
        ? html`<h3 data-find-heading${ownLang}>${words.undated}</h3>`
        : html`<h3 data-find-heading><time datetime="${fromDay(day)}">${formatDay(day, locale)}</time></h3>`;
    return html`<section class="agenda-day" data-find-group>${heading}<ul>${items.map((event) => agendaItem(context, event))}</ul></section>`;
  });
  return html`<div class="agenda">${groups}</div>`;
}

function agendaItem(context: RenderContext, event: ScreenEvent): Html {
  const { title, time, note, badge, tone, index, date, day } = event;
  const when = [day === undefined ? date : '', time ?? '']
    .filter(Boolean)
    .map(isolateDirection)
    .join(' ');
  return html`<li id="event-${index}" data-find tabindex="-1"${context.at('/calendar', 'events', index)}>${toneMark(context, tone)}<div><p class="agenda-title">${when && html`<span class="agenda-time">${when}</span> `}${isolateDirection(title)}</p>${note && html`<p class="sub">${note}</p>`}</div>${badge && toneBadge(context, badge, tone)}</li>`;
}

/** Draws the events in the order of the definition and marks the current one. */
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
