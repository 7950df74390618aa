import { type Html, html } from '../../../base/html.js';
import type { ScreenMapPoint } from '../../normalise/archetype-blocks.js';
import { statusBadge, toneBadge } from '../blocks/badge.js';
import { round } from '../charts/build.js';
import type { RenderContext } from '../context.js';

/** Pixels: how high the drawing is, and how far points stay from its edges. */
const height = 420;
const margin = 34;

/** A scheme of points and connections, with the same points as a list. */
export function schematicMap(context: RenderContext): Html {
  const { screen, at, words, ownLang, styles } = context;
  const { map } = screen;
  if (!map) return html``;
  styles.add('map');
  const title = map.title || screen.product.name;
  return html`<section class="card map" id="map" data-find-group${at('/map')}><h2>${title}</h2><div class="map-split"><div class="map-plot">${drawing(context, title)}</div><div><h3${ownLang}>${words.points}</h3><ol class="map-points">${map.points.map((point, index) => pointItem(context, point, index))}</ol></div></div></section>`;
}

function drawing(context: RenderContext, title: string): Html {
  const { screen, words, say } = context;
  const { points = [], lines = [] } = screen.map ?? {};
  const x = (value: number): string => `${round(4 + value * 0.92)}%`;
  const y = (value: number): number => round(margin + (value / 100) * (height - 2 * margin));
  const links = lines.map(([from, to]) => {
    const [a, b] = [points[from], points[to]];
    if (!a || !b) return '';
    return html`<line class="link" x1="${x(a.x)}" y1="${y(a.y)}" x2="${x(b.x)}" y2="${y(b.y)}"></line>`;
  });
  const dots = points.map((point, index) => {
    const tone = point.shownTone && ` t-${point.shownTone}`;
    const side = point.x > 85 ? 'end' : point.x < 15 ? 'start' : 'middle';
    const [left, top] = [x(point.x), y(point.y)];
    return html`<g class="point${tone}" data-point="${index}" data-find-with="point-${index}"><circle cx="${left}" cy="${top}" r="13"></circle><text class="point-number" x="${left}" y="${top + 4}" text-anchor="middle">${index + 1}</text><text class="point-label" x="${left}" y="${top + 29}" text-anchor="${side}">${point.label}</text></g>`;
  });
  const summary = say(words.mapSummary, { title, count: points.length });
  return html`<svg role="img" aria-label="${summary}" width="100%" height="${height}">${links}${dots}</svg>`;
}

function pointItem(context: RenderContext, point: ScreenMapPoint, index: number): Html {
  const { screen, words, ownLang } = context;
  const { label, note, status, shownTone, known } = point;
  const badge =
    known || status
      ? statusBadge(context, status)
      : shownTone && toneBadge(context, words.tones[shownTone], shownTone);
  const neighbours = (screen.map?.lines ?? []).flatMap(([from, to]) =>
    from === index && to !== index ? [to] : to === index && from !== index ? [from] : [],
  );
  const names = neighbours.flatMap((place) => screen.map?.points[place]?.label ?? []);
  const links =
    names.length > 0 &&
    html`<p class="sub"><span${ownLang}>${words.connections}:</span> ${names.map((name, place) => html`${place > 0 && ', '}<bdi>${name}</bdi>`)}</p>`;
  return html`<li id="point-${index}" data-find data-point-item="${index}"${context.at('/map', 'points', index)}><span class="point-key${shownTone ? ` t-${shownTone}` : ''}" aria-hidden="true">${index + 1}</span><div><p class="point-title">${label} ${badge}</p>${note && html`<p>${note}</p>`}${links}</div></li>`;
}
