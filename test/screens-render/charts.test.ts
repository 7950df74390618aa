import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { horizontalBars } from '../../src/screens/render/charts/columns.js';
import { sharesOf } from '../../src/screens/render/charts/donut.js';
import { buildHtml } from '../../src/screens/render/charts/drawn.js';
import {
  formatPercent,
  formatTicks,
  formatValue,
} from '../../src/screens/render/charts/numbers.js';
import {
  arePercent,
  heightOf,
  lineScale,
  scaleInSpaces,
  tickTexts,
  zeroScale,
} from '../../src/screens/render/charts/scale.js';
import { type Locale, locales } from '../../src/screens/render/format.js';
import { renderScreen } from '../../src/screens/render/render-screen.js';
import { anyLabel, anyNumber, anyPoint } from './chart-points.js';

const values = (numbers: readonly (number | undefined)[]) => numbers.map((value) => ({ value }));

const anyNumbers = fc.array(fc.option(anyNumber, { nil: undefined }), {
  minLength: 1,
  maxLength: 32,
});

describe('the scale of a chart', () => {
  it.each([
    ['bars', zeroScale],
    ['a line', lineScale],
  ] as const)(
    'of %s contains every number between round ticks of equal distance',
    (_name, scaleOf) => {
      fc.assert(
        fc.property(anyNumbers, (numbers) => {
          const scale = scaleOf(values(numbers));
          const { low, high, ticks } = scale;
          expect(ticks.length).toBeGreaterThan(1);
          expect(ticks.length).toBeLessThan(8);
          expect([ticks[0], ticks.at(-1)]).toEqual([low, high]);
          for (const [index, tick] of ticks.slice(1).entries()) {
            expect(tick).toBeGreaterThan(ticks[index] ?? Number.NaN);
            expect(isRound(tick, high - low)).toBe(true);
          }
          for (const number of numbers) {
            if (number === undefined || Math.abs(number) > 1e308) continue;
            expect(number).toBeGreaterThanOrEqual(low - (high - low) * 1e-9);
            expect(number).toBeLessThanOrEqual(high + (high - low) * 1e-9);
            expect(heightOf(number, scale)).toBeGreaterThanOrEqual(0);
            expect(heightOf(number, scale)).toBeLessThanOrEqual(1);
          }
        }),
      );
    },
  );

  it('of bars always has zero among its ticks', () => {
    fc.assert(
      fc.property(anyNumbers, (numbers) => {
        expect(zeroScale(values(numbers)).ticks.map(Math.abs)).toContain(0);
      }),
    );
  });

  it.each([
    [
      [0, 0],
      [0, 1],
    ],
    [
      [3, 1],
      [0, 1, 2, 3],
    ],
    [
      [884, 402],
      [0, 200, 400, 600, 800, 1000],
    ],
    [
      [-40, 25.5],
      [-40, -20, 0, 20, 40],
    ],
    [
      [0.3, 0.1],
      [0, 0.1, 0.2, 0.3],
    ],
    [[1e21], [0, 2e20, 4e20, 6e20, 8e20, 1e21]],
    [[1e-9], [0, 2e-10, 4e-10, 6e-10, 8e-10, 1e-9]],
    [
      [-5, -5],
      [-5, -4, -3, -2, -1, 0],
    ],
    [[undefined], [0, 1]],
  ])('of bars of %j is %j', (numbers, ticks) => {
    expect(zeroScale(values(numbers)).ticks.map((tick) => tick + 0)).toEqual(ticks);
  });

  it.each([
    ['zooms in on values that are close together', [90, 92], [89, 90, 91, 92, 93]],
    ['starts at zero for distant values', [20, 92], [0, 20, 40, 60, 80, 100]],
    ['starts at zero for equal values', [90, 90], [0, 20, 40, 60, 80, 100]],
    ['zooms in on negative values', [-92, -90], [-93, -92, -91, -90, -89]],
    ['includes zero for values of both signs', [-1, 90], [-25, 0, 25, 50, 75, 100]],
  ])('of a line %s', (_name, numbers, ticks) => {
    expect(lineScale(values(numbers)).ticks).toEqual(ticks);
  });

  it('of a line shows a change in at most half of its height', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 999 }),
        fc.integer({ min: 1, max: 400 }),
        (from, by) => {
          fc.pre(by <= from);
          const scale = lineScale(values([from, from + by]));
          const change = heightOf(from + by, scale) - heightOf(from, scale);
          expect(scale.low > 0 ? change : 0).toBeLessThanOrEqual(0.5);
          expect(change).toBeGreaterThan(0.15);
        },
      ),
    );
  });

  it('of counts keeps its number of spaces, and fits other counts with whole ticks', () => {
    const count = fc.integer({ min: 0, max: 200_000 });
    fc.assert(
      fc.property(count, count, (before, after) => {
        const drawn = zeroScale(values([before])).ticks;
        expect(scaleInSpaces(before, drawn.length - 1).ticks).toEqual(drawn);
        const { ticks, high } = scaleInSpaces(after, drawn.length - 1);
        expect(ticks).toHaveLength(drawn.length);
        expect(ticks.every(Number.isInteger)).toBe(true);
        expect(high).toBeGreaterThanOrEqual(after);
      }),
    );
  });

  it('of percentages does not exceed 100 unless the values do', () => {
    expect(lineScale(values([97, 99.5]), 100).high).toBe(100);
    expect(lineScale(values([97, 104]), 100).high).toBeGreaterThan(104);
    const percent = [{ label: 'a', value: 97, text: '97 %' }];
    expect([arePercent(percent, undefined), arePercent(percent, 'kg')]).toEqual([true, true]);
    expect(arePercent([{ label: 'a', value: 97, text: '97' }], '%')).toBe(true);
  });
});

/** Returns true if a number has at most two significant digits in relation to the width of the scale. */
function isRound(tick: number, width: number): boolean {
  const unit = 10 ** Math.floor(Math.log10(width / 5) - 1);
  const count = tick / unit;
  return Math.abs(count - Math.round(count)) <= Math.abs(count) * 1e-9 + 1e-6;
}

describe('the labels of a scale', () => {
  it('are different and at most 18 characters long', () => {
    fc.assert(
      fc.property(anyNumbers, fc.constantFrom(...locales), (numbers, locale) => {
        const texts = formatTicks(zeroScale(values(numbers)).ticks, locale);
        expect(new Set(texts).size).toBe(texts.length);
        for (const text of texts) expect(text.length).toBeLessThanOrEqual(18);
      }),
    );
  });

  it.each([
    ['en', [0, 500_000, 1_000_000], ['0', '0.5M', '1M']],
    ['ru', [0, 500_000, 1_000_000], ['0', '0,5\u00a0млн', '1\u00a0млн']],
    ['kk', [0, 2e9], ['0', '2\u00a0млрд']],
    ['en', [0, 50_000], ['0', '50,000']],
    ['en', [-2e5, 0, 2e5], ['−200K', '0', '200K']],
    ['ru', [0, 1e21], ['0', '1·10²¹']],
    ['en', [0, 5e-10], ['0', '5×10⁻¹⁰']],
    ['ru', [0, 0.25, 0.5], ['0', '0,25', '0,5']],
  ] as const)('in %s for %j are %j', (locale, ticks, texts) => {
    expect(formatTicks(ticks, locale)).toEqual(texts);
  });

  it.each([
    ['90 %', '92 %', ' %'],
    ['3,5 млн', '4 млн', ' млн'],
  ])('include the unit of all values: %s, %s', (a, b, after) => {
    const items = [a, b].map((text, value) => ({ label: '', value, text }));
    const texts = tickTexts(items, { low: 0, high: 1, ticks: [0, 1] }, { locale: 'ru' });
    expect(texts).toEqual([`0${after}`, `1${after}`]);
  });

  it('have a currency sign before the number and after the minus sign', () => {
    const items = [{ label: '', value: -4, text: '-$4' }];
    const scale = { low: -5, high: 0, ticks: [-5, 0] };
    expect(tickTexts(items, scale, { locale: 'en' })).toEqual(['−$5', '$0']);
  });

  it.each(locales)('use the words and symbols of Unicode CLDR in %s', (locale) => {
    const compact = new Intl.NumberFormat(locale, { notation: 'compact' });
    for (const number of [2e6, 3e9, 4e12]) {
      expect(formatTicks([0, number], locale)[1]).toBe(compact.format(number));
    }
    const percent = new Intl.NumberFormat(locale, { style: 'percent' });
    expect(formatPercent(63, locale)).toBe(percent.format(0.63));
  });
});

it.each([
  [1e21, 'en', '1×10²¹'],
  [-2.5e-9, 'ru', '−2,5·10⁻⁹'],
  [1234.5, 'en', '1,234.5'],
] as const)('the value %d is formatted in %s as %s', (value, locale: Locale, text) => {
  expect(formatValue(value, locale)).toBe(text);
});

describe('shares', () => {
  const texts = (numbers: readonly (number | undefined)[]) =>
    sharesOf(numbers).map((share) => share?.text);

  it.each([
    [
      [62.5, 37.5],
      ['63', '37'],
    ],
    [
      [1, 1, 1],
      ['34', '33', '33'],
    ],
    [
      [99.7, 0.3],
      ['>99', '<1'],
    ],
    [
      [60.2, 39.4, 0.4],
      ['60', '40', '<1'],
    ],
    [[5], ['100']],
    [
      [5, 0],
      ['100', '0'],
    ],
    [
      [5, -3, undefined],
      ['100', undefined, undefined],
    ],
    [
      [1e308, 1e308],
      ['50', '50'],
    ],
    [
      [0, 0],
      [undefined, undefined],
    ],
  ])('of %j are %j', (numbers, expected) => {
    expect(texts(numbers)).toEqual(expected);
  });

  it('add up to 100, including shares below one', () => {
    const parts = fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(parts, (numbers) => {
        fc.pre(numbers.some((number) => number > 0));
        const shares = sharesOf(numbers);
        let [sum, tiny] = [0, 0];
        for (const share of shares) {
          if (share?.text === '<1') tiny += share.exact;
          else sum += share?.text === '>99' ? 100 : Number(share?.text);
        }
        expect(sum + Math.round(tiny)).toBe(100);
      }),
    );
  });
});

it('horizontal bars start at zero, and negative bars end there', () => {
  const items = [
    { label: 'a', value: 30, text: '30' },
    { label: 'b', value: -10, text: '−10' },
    { label: 'c', value: undefined, text: 'none' },
  ];
  const { text } = horizontalBars(buildHtml, items, 'c-blue');
  expect(
    [...text.matchAll(/class="bar" x="([\d.]+%)" width="([\d.]+%)"/g)].map(([, ...box]) => box),
  ).toEqual([
    ['25%', '75%'],
    ['0%', '25%'],
  ]);
  expect(text).toContain('none');
});

/** Returns the content of a screen, in English. */
function mainOf(definition: object): string {
  const product = { name: 'x', entity: 'x' };
  const page = renderScreen({ product, ...definition }, { locale: 'en' });
  return page.slice(page.indexOf('<main'), page.indexOf('</main>'));
}

describe('a drawn chart', () => {
  const draw = (chart: object): string =>
    mainOf({
      archetype: 'analytics',
      analytics: { charts: [chart], findings: [{ title: 'x' }] },
    });
  const points = (...numbers: readonly unknown[]) =>
    numbers.map((value, index) => ({ label: `p${index}`, value }));

  it('contains every label and every value as text', () => {
    const type = fc.constantFrom('bar', 'line', 'donut');
    const list = fc.array(anyPoint, { minLength: 2, maxLength: 14 });
    fc.assert(
      fc.property(type, list, (kind, given) => {
        const drawn = draw({ type: kind, title: 'x', points: given });
        expect(drawn).not.toMatch(/NaN|Infinity|undefined/);
        const [read] = [/<tbody>.*?<\/tbody>|<ul class="(?:bars|legend).*?<\/ul>/.exec(drawn)];
        const parts = [...(read?.[0] ?? '').matchAll(/<tr>|<li>/g)];
        expect(parts).toHaveLength(given.length);
        expect((read?.[0] ?? '').match(/<th[^>]*><|<td><|bar-value"></g)).toBeNull();
      }),
      { numRuns: 60 },
    );
  });

  it('fills the area below a line only if the scale includes zero, and otherwise states where it starts', () => {
    const near = draw({ type: 'line', title: 'x', points: points(90, 92) });
    expect(near).not.toContain('class="area"');
    expect(near).toContain('The scale starts at 89, not at zero.');
    const far = draw({ type: 'line', title: 'x', points: points(9, 92) });
    expect(far).toContain('class="area"');
    expect(far).not.toContain('not at zero');
  });

  it('starts the scale of a line at zero if its labels would otherwise be too long', () => {
    const near = draw({ type: 'line', title: 'x', points: points(1e14, 1e14 + 1) });
    expect(near).not.toContain('not at zero');
  });

  it('has a gap in a line at a point without a number', () => {
    const page = draw({ type: 'line', title: 'x', points: points(1, 2, 'none', 4, 5) });
    expect(page.match(/class="line"/g)).toHaveLength(2);
    expect(page.match(/class="dot /g)).toHaveLength(4);
  });

  it('describes its range and unit in its text alternative, even for negative values', () => {
    const page = draw({ type: 'bar', title: 'T', unit: 't', points: points(-3, 'n/a', 12.5) });
    expect(page).toContain(
      'aria-label="T: bar chart, 3 bars, lowest −3, highest 12.5 (t). Without a number: 1. A table with the data follows."',
    );
  });

  it('shows its unit only once if the total already includes it', () => {
    const total = (given: object): string | undefined =>
      /class="chart-total">(.*?)<\/p>/.exec(
        draw({ type: 'line', title: 'x', points: points(1, 2), ...given }),
      )?.[1];
    expect(total({ total: '42 %', unit: '%' })).toBe('<strong>42 %</strong> ');
    expect(total({ total: 42, unit: '%' })).toBe('<strong>42</strong> <span>%</span>');
    expect(total({ total: 'AC', unit: 'C' })).toBe('<strong>AC</strong> <span>C</span>');
  });

  it('lists its points even if none of them can be drawn', () => {
    const page = draw({ type: 'donut', title: 'x', points: points('none', -4) });
    expect(page).toContain('No data to draw.');
    expect(page).toMatch(/p0<\/span><span class="bar-value">none/);
    expect(page).toMatch(/p1<\/span><span class="bar-value">−4/);
  });

  it('shows a very long label in full only in its table', () => {
    const bars = [
      { label: `${'a'.repeat(500)}b`, value: 1 },
      ...Array.from({ length: 14 }, () => ({ label: 'c', value: 2 })),
    ];
    const page = mainOf({ chart: { bars } });
    expect(page.match(/a{500}b/g)).toHaveLength(1);
    expect(page).toMatch(/>a{199}…</);
  });

  it('shows the first and the last label at every width', () => {
    fc.assert(
      fc.property(fc.array(anyLabel, { minLength: 2, maxLength: 14 }), (labels) => {
        const page = draw({
          type: 'line',
          title: 'x',
          points: labels.map((_, index) => ({ label: `l${index}-${'x'.repeat(index)}`, value: 1 })),
        });
        const rows = [...page.matchAll(/<svg class="axis-labels.*?<\/svg>/g)].map(([row]) => row);
        expect(rows.length).toBeGreaterThan(0);
        const last = labels.length - 1;
        for (const row of rows) {
          expect(row).toContain('>l0-<');
          expect(row).toContain(`>l${last}-${'x'.repeat(last)}<`);
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe('breakdowns', () => {
  const draw = (type: string, ...items: readonly object[]): string => {
    const points = [
      { label: 'a', value: 1 },
      { label: 'b', value: 2 },
    ];
    const breakdowns = [{ title: 'B', type, items }];
    return mainOf({ archetype: 'dashboard', dashboard: { series: [{ points }], breakdowns } });
  };
  const stats = [{ label: 'Staff', value: 1200 }];
  const other = { label: 'other', value: 3 };

  it.each(['cards', 'share', 'top'])('of type %s show all fields of a part', (type) => {
    const page = draw(type, { label: 'Astana', title: 'Capital', value: 5, stats }, other);
    for (const text of ['Astana', 'Capital', 'Staff', '1,200']) expect(page).toContain(text);
  });

  it.each(['share', 'top'])('of type %s use the title of a part without a label', (type) => {
    const page = draw(type, { title: 'Capital', value: 5 }, other);
    expect(page).toContain('<span class="bar-label">Capital</span>');
  });

  it('list parts even if none of them can be drawn', () => {
    const part = { label: 'Astana', title: 'Capital', value: 'none', stats };
    const page = draw('share', part, { label: 'other' });
    for (const text of ['Astana', 'Capital', 'none', '1,200']) expect(page).toContain(text);
  });
});
