import { clamp } from '../../normalise/frame.js';
import type { ChartItem, ChartSetting } from './build.js';
import { areDifferent, formatTicks, longestOf } from './numbers.js';

/** The values at the bottom and the top of a plot, and the values of its grid lines. */
export interface ChartScale {
  readonly low: number;
  readonly high: number;
  /** From low to high, evenly spaced round numbers. */
  readonly ticks: readonly number[];
}

type Values = readonly Pick<ChartItem, 'value'>[];

/** The most spaces between the lines of a plot, about 24 px each. */
const spacesOfPlot = 5;
const factors = [1, 2, 2.5, 5] as const;

/** Larger and smaller numbers are drawn as these, because their ticks would overflow. */
const [largest, smallest] = [1e308, 1e-300];

/** Returns a scale that contains zero, for bars and areas, whose length is read from zero. */
export function zeroScale(items: Values): ChartScale {
  let [low, high] = [0, 0];
  for (const { value = 0 } of items) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return niceScale(low, high, areWhole(items));
}

/** Returns a scale from the lowest to the highest value, including zero, for bars with their values beside them. */
export function tightScale(items: Values): ChartScale {
  const low = items.reduce((least, { value = 0 }) => Math.min(least, within(value)), 0);
  const high = items.reduce((most, { value = 0 }) => Math.max(most, within(value)), 0);
  return { low, high: high - low < smallest ? 1 : high, ticks: [] };
}

/**
 * Returns the scale of a line. If the values are close together and far from zero, they take half of the
 * scale's height, which shows a change without exaggerating it (docs/decisions/0027). The scale exceeds `most`,
 * such as 100 %, only if a value does.
 */
export function lineScale(items: Values, most = Number.POSITIVE_INFINITY): ChartScale {
  const values = items.flatMap(({ value }) => (value === undefined ? [] : value));
  const min = values.reduce((least, value) => Math.min(least, value), values[0] ?? 0);
  const max = values.reduce((greatest, value) => Math.max(greatest, value), values[0] ?? 0);
  const spread = max - min;
  const farthest = Math.max(max, -min);
  // Ticks that differ by less than a billionth look the same.
  const isNear = spread > farthest / 1e9 && spread <= farthest / 2 && farthest < largest;
  if (!isNear) return zeroScale(items);
  const margin = spread / 2;
  const high = max > most ? max + margin : Math.min(max + margin, most);
  return niceScale(min - margin, high, areWhole(items));
}

/** Returns a scale of counts from zero with a fixed number of spaces, so that its lines stay in place. */
export function scaleInSpaces(highest: number, spaces: number): ChartScale {
  return niceScale(0, Math.max(1, highest), true, spaces);
}

/** Returns the height of a value in the plot, from 0 to 1. */
export function heightOf(value: number, { low, high }: ChartScale): number {
  // Halve first, because the difference of very large numbers is infinite.
  return clamp((within(value) / 2 - low / 2) / (high / 2 - low / 2), 0, 1);
}

/**
 * Returns round ticks around two values; whole numbers get whole ticks. There are exactly `spaces` between
 * them, or by default as few as round steps need.
 */
function niceScale(from: number, to: number, whole: boolean, spaces?: number): ChartScale {
  const [low, high, most] = [within(from), within(to), spaces ?? spacesOfPlot];
  if (high - low < smallest) return { low: 0, high: 1, ticks: [0, 1] };
  for (let exponent = Math.floor(Math.log10(high / most - low / most)); ; exponent += 1) {
    for (const factor of factors) {
      const step = Number(`${factor}e${exponent}`);
      if (whole && !Number.isInteger(step)) continue;
      // A quotient may miss a whole number by its last digits: 0.3 / 0.1 is not quite 3.
      const [first, last] = [Math.floor(low / step + 1e-9), Math.ceil(high / step - 1e-9)];
      if (last - first > most) continue;
      // Parse a decimal, because multiplying by a fraction is inexact.
      const ticks = Array.from({ length: (spaces ?? last - first) + 1 }, (_, index) =>
        Number(`${(first + index) * factor}e${exponent}`),
      );
      return { low: ticks[0] ?? low, high: ticks.at(-1) ?? high, ticks };
    }
  }
}

function within(value: number): number {
  return clamp(value, -largest, largest);
}

function areWhole(items: Values): boolean {
  return items.every(({ value = 0 }) => Number.isInteger(value));
}

/** The text around every number of a chart, such as ` %` and `$`. */
interface Affixes {
  readonly before: string;
  readonly after: string;
}

/** Characters of a unit; longer texts are not units. */
const affixLength = 6;
/** Characters of a value that may be a number with a unit. */
const maxValueLength = 64;

const none: Affixes = { before: '', after: '' };

/**
 * Returns the labels of a scale, with the text that all points have around their numbers: between `90 %` and
 * `92 %` the labels are per cent, and beside `3,5 млн` they are millions.
 */
export function tickTexts(
  items: readonly ChartItem[],
  { ticks }: ChartScale,
  { locale }: Pick<ChartSetting, 'locale'>,
): readonly string[] {
  const { before, after } = affixesOf(items);
  return formatTicks(ticks, locale).map((text) =>
    text.startsWith('−') ? `−${before}${text.slice(1)}${after}` : before + text + after,
  );
}

/** Characters of a label that fits beside the drawing. */
const tickLength = 12;

/** Returns true if the labels of a scale differ and fit beside a drawing. */
export function canBeLabelled(
  { ticks }: ChartScale,
  { locale }: Pick<ChartSetting, 'locale'>,
): boolean {
  const texts = formatTicks(ticks, locale);
  return areDifferent(texts) && longestOf(texts) <= tickLength;
}

/** Returns true if the values are per cent, by their unit or their text. */
export function arePercent(items: readonly ChartItem[], unit: string | undefined): boolean {
  return unit?.trim() === '%' || affixesOf(items).after.trim() === '%';
}

function affixesOf(items: readonly ChartItem[]): Affixes {
  const [first, ...others] = items.flatMap(({ text, value }) =>
    value === undefined ? [] : affixesIn(text),
  );
  const isShared = others.every(
    ({ before, after }) => before === first?.before && after === first.after,
  );
  return first && isShared ? first : none;
}

/** Returns the text before the first and after the last digit, without the sign. */
function affixesIn(text: string): Affixes {
  if (text.length > maxValueLength || /[×·]10/u.test(text)) return none;
  const signs = [...text];
  const isDigit = (sign: string): boolean => sign >= '0' && sign <= '9';
  const [first, last] = [signs.findIndex(isDigit), signs.findLastIndex(isDigit)];
  const before = signs
    .slice(0, Math.max(0, first))
    .join('')
    .replace(/[-−–+\s]/gu, '');
  const after = signs.slice(last + 1).join('');
  return longestOf([before, after]) > affixLength ? none : { before, after };
}
