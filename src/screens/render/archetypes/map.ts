import { type Html, html } from '../../../base/html.js';
import type { ScreenMapPoint } from '../../normalise/archetype-blocks.js';
import { statusBadge, toneSign } from '../blocks/badge.js';
import { round } from '../charts/build.js';
import type { RenderContext } from '../context.js';
import { height, offsets, type Place, placeLabels, placePoints, radius } from './map-places.js';

/** Maximum number of lines in a list of points beside the drawing. */
const linesBeside = 24;

/** Length of a line in that list, in characters. */
const inLine = 38;

/** Draws a schematic map of points and connections, and the same points as a list. */
export function schematicMap(context: RenderContext): Html {
  const { screen, at, words, ownLang, styles } = context;
  const { map } = screen;
  if (!map) return html``;
  styles.add('map');
  const title = map.title || screen.product.name;
  const ends = endsOf(map.lines ?? []);
  const items = map.points.map((point, index) => ({
    point,
    index,
    to: [...(ends.get(index) ?? [])].flatMap((end) => map.points[end]?.label ?? []),
  }));
  const lines = items.reduce((sum, { point, to }) => sum + linesOf(point, to), 0);
  return html`<section class="card map" id="map" data-find-group${at('/map')}><h2>${title}</h2><div class="map-split${lines <= linesBeside ? ' beside' : ''}"><div class="map-plot">${drawing(context, title)}</div><div><h3${ownLang}>${words.points}</h3><ol class="map-points">${items.map(({ point, index, to }) => pointItem(context, point, index, to))}</ol></div></div></section>`;
}

/** Returns the points to which each point is connected, without duplicates, in the order of the lines. */
function endsOf(lines: readonly (readonly number[])[]): ReadonlyMap<number, ReadonlySet<number>> {
  const ends = new Map<number, Set<number>>();
  const add = (point: number, other: number): void => {
    const known = ends.get(point);
    if (known) known.add(other);
    else ends.set(point, new Set([other]));
  };
  for (const [from, to] of lines) {
    if (from === undefined || to === undefined || from === to) continue;
    add(from, to);
    add(to, from);
  }
  return ends;
}

/** Estimates the number of lines of a point in the list. */
function linesOf({ label, note = '', shownTone, status }: ScreenMapPoint, to: readonly string[]) {
  const lines = [label, note, to.join(', ')].map((text) => Math.ceil(text.length / inLine));
  const badge = shownTone || status ? 1 : 0;
  return lines.reduce((sum, count) => sum + count, badge);
}

function drawing(context: RenderContext, title: string): Html {
  const { screen, words, say } = context;
  const { points = [], lines = [] } = screen.map ?? {};
  const places = placePoints(points);
  const labels = placeLabels(
    points.map(({ label }) => label),
    places,
  );
  const links = lines.map(([from, to]) => {
    const [a, b] = [places[from], places[to]];
    if (!a || !b) return '';
    const [start, end] = [spot(a), spot(b)];
    return html`<line class="link" x1="${start.x}" y1="${start.y}" x2="${end.x}" y2="${end.y}"></line>`;
  });
  const dots = points.map((point, index) => {
    const place = places[index];
    if (!place) return '';
    const tone = point.shownTone && ` t-${point.shownTone}`;
    const { x, y } = spot(place);
    return html`<g class="point${tone}" data-point="${index}" data-find-with="point-${index}"><circle cx="${x}" cy="${y}" r="${radius}em"></circle><text class="point-number" x="${x}" y="${y}" dy="${offsets.base}em" text-anchor="middle">${index + 1}</text>${label(point.label, place, labels[index])}</g>`;
  });
  const summary = say(words.mapSummary, { title, count: points.length });
  return html`<svg role="img" aria-label="${summary}" width="100%" height="${height}em">${links}${dots}</svg>`;
}

/** Converts a position to attributes of the drawing. */
function spot({ x, y }: Place): { readonly x: string; readonly y: string } {
  return { x: `${round(x)}%`, y: `${round(y)}em` };
}

const anchors = { below: 'middle', above: 'middle', right: 'start', left: 'end' } as const;

function label(text: string, place: Place, found: ReturnType<typeof placeLabels>[number]): Html {
  if (!found) return html``;
  const { x, y } = spot(place);
  const { side, from } = found;
  const [dx, dy] = {
    below: [0, offsets.below],
    above: [0, offsets.above],
    right: [offsets.side, offsets.base],
    left: [-offsets.side, offsets.base],
  }[side];
  return html`<text class="point-label fits-${from}" x="${x}" y="${y}" dx="${dx}em" dy="${dy}em" text-anchor="${anchors[side]}">${text}</text>`;
}

function pointItem(
  context: RenderContext,
  { label: name, note, status, shownTone, known }: ScreenMapPoint,
  index: number,
  to: readonly string[],
): Html {
  const { words, ownLang } = context;
  const badge =
    known || status ? statusBadge(context, status) : shownTone && toneSign(context, shownTone);
  const links =
    to.length > 0 &&
    html`<p class="sub"><span${ownLang}>${words.connections}:</span> ${to.map((end, position) => html`${position > 0 && ', '}<bdi>${end}</bdi>`)}</p>`;
  return html`<li id="point-${index}" data-find data-point-item="${index}"${context.at('/map', 'points', index)}><span class="point-key${shownTone ? ` t-${shownTone}` : ''}" aria-hidden="true">${index + 1}</span><div><p class="point-title">${name} ${badge}</p>${note && html`<p>${note}</p>`}${links}</div></li>`;
}
