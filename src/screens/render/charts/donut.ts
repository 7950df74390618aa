import { type Build, type ChartItem, type ChartSetting, noDrawing, round } from './build.js';

/** A radius whose circumference is 100, so that lengths on the ring are per cent. */
const radius = 15.9155;
/** Colours of the series repeat after these. */
const seriesColors = 7;

/** Shares of a whole as a ring, with a list that names each part, its value and its share. */
export function donutChart<T>(
  build: Build<T>,
  items: readonly ChartItem[],
  setting: ChartSetting & { readonly total?: string | undefined },
): T {
  const { summary, total } = setting;
  const sum = items.reduce((whole, { value = 0 }) => whole + Math.max(0, value), 0);
  if (sum === 0) return noDrawing(build, setting);
  let start = 0;
  const parts = items.map((item, index) => {
    const share = (Math.max(0, item.value ?? 0) / sum) * 100;
    const part = { ...item, share, start, color: colorOf(item, index) };
    start += share;
    return part;
  });
  const ring = parts
    .filter(({ share }) => share > 0)
    .map(({ share, start: from, color }) =>
      build('circle', {
        class: `ring ${color}`,
        cx: 21,
        cy: 21,
        r: radius,
        'stroke-dasharray': dashes(share),
        'stroke-dashoffset': round(25 - from),
      }),
    );
  const middle =
    total === undefined
      ? undefined
      : build(
          'text',
          { class: 'total', x: 21, y: 21, 'text-anchor': 'middle', dy: '.35em' },
          total,
        );
  const legend = parts.map(({ label, text, share, color }) =>
    build(
      'li',
      {},
      build(
        'svg',
        { class: 'key', 'aria-hidden': 'true', width: 10, height: 10 },
        build('rect', { class: color, width: 10, height: 10, rx: 3 }),
      ),
      build('span', { class: 'bar-label' }, label || '–'),
      build('span', { class: 'bar-value' }, text || '–'),
      build('span', { class: 'share' }, `${Math.round(share)} %`),
    ),
  );
  return build(
    'div',
    { class: 'donut' },
    build(
      'svg',
      { class: 'donut-ring', role: 'img', 'aria-label': summary, viewBox: '0 0 42 42' },
      ...ring,
      middle,
    ),
    build('ul', { class: 'legend' }, ...legend),
  );
}

/** The length of a part and of the rest of the ring; a narrow gap parts neighbours. */
function dashes(share: number): string {
  const length = Math.max(share < 100 ? share - 0.8 : share, 0.4);
  return `${round(length)} ${round(100 - length)}`;
}

function colorOf({ tone }: ChartItem, index: number): string {
  return tone ? `t-${tone}` : `s${index % seriesColors}`;
}
