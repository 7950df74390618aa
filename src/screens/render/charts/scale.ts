import { clamp } from '../../normalise/frame.js';
import type { ChartItem, ChartSetting } from './build.js';
import { areDifferent, formatTicks, longestOf } from './numbers.js';

/** The values at the bottom and the top of a plot, and the values of its grid lines. */
export interface ChartScale {
  readonly low: number;
  readonly high: number;
  /** Evenly spaced round numbers, in ascending order. */
  readonly ticks: readonly number[];
}

type Values = readonly Pick<ChartItem, 'value'>[];

/** Maximum number of spaces between the lines of a plot, which are about 24 px each. */
const spacesOfPlot = 5;
const factors = [1, 2, 2.5, 5] as const;

/** Limits for numbers on a scale, because the ticks of larger or smaller numbers would overflow. */
const [largest, smallest] = [1e308, 1e-300];

/** Returns a scale that includes zero, for bars and areas, whose size is measured from zero. */
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
  const low = items.reduce((min, { value = 0 }) => Math.min(min, within(value)), 0);
  const high = items.reduce((max, { value = 0 }) => Math.max(max, within(value)), 0);
  return { low, high: high - low < smallest ? 1 : high, ticks: [] };
}

/**
 * Returns the scale of a line. Values that are close together and far from zero take half of the scale's height, which
 * shows changes without exaggerating them (docs/decisions/0027). The scale exceeds `limit`, such as 100 %, only if a
 * value does.
 */
export function lineScale(items: Values, limit = Number.POSITIVE_INFINITY): ChartScale {
  const values = items.flatMap(({ value }) => (value === undefined ? [] : value));
  const min = values.reduce((least, value) => Math.min(least, value), values[0] ?? 0);
  const max = values.reduce((greatest, value) => Math.max(greatest, value), values[0] ?? 0);
  const spread = max - min;
  const farthest = Math.max(max, -min);
  // Ticks that differ by less than a billionth look the same.
  const isNear = spread > farthest / 1e9 && spread <= farthest / 2 && farthest < largest;
  if (!isNear) return zeroScale(items);
  const margin = spread / 2;
  const high = max > limit ? max + margin : Math.min(max + margin, limit);
  return niceScale(min - margin, high, areWhole(items));
}

/** Returns a scale of counts that starts at zero and has a fixed number of spaces, so that its lines do not move. */
export function scaleInSpaces(highest: number, spaces: number): ChartScale {
  return niceScale(0, Math.max(1, highest), true, spaces);
}

/** Returns the height of a value in the plot, from 0 to 1. */
export function heightOf(value: number, { low, high }: ChartScale): number {
  // Halve the numbers first, because the difference of very large numbers overflows.
  return clamp((within(value) / 2 - low / 2) / (high / 2 - low / 2), 0, 1);
}

/**
 * Returns a scale with round ticks that includes both values. Whole numbers have whole ticks. There are exactly
 * `spaces` spaces between the ticks, or by default as few as possible.
 */
function niceScale(from: number, to: number, whole: boolean, spaces?: number): ChartScale {
  const [low, high, maxSpaces] = [within(from), within(to), spaces ?? spacesOfPlot];
  if (high - low < smallest) return { low: 0, high: 1, ticks: [0, 1] };
  const minStep = high / maxSpaces - low / maxSpaces;
  for (let exponent = Math.floor(Math.log10(minStep)); ; exponent += 1) {
    for (const factor of factors) {
      const step = Number(`${factor}e${exponent}`);
      if (whole && !Number.isInteger(step)) continue;
      // Floating-point quotients are inexact: 0.3 / 0.1 is slightly less than 3.
      const [first, last] = [Math.floor(low / step + 1e-9), Math.ceil(high / step - 1e-9)];
      if (last - first > maxSpaces) continue;
      // Parse the tick as a decimal, because multiplication by a fraction is inexact.
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

/** Maximum length of a unit, in characters. Longer texts are not units. */
const affixLength = 6;
/** Maximum length of a value that may be a number with a unit, in characters. */
const maxValueLength = 64;

const none: Affixes = { before: '', after: '' };

/**
 * Returns the labels of a scale, with the text that all points have around their numbers. For values such as `90 %`,
 * the labels are in per cent; for `3,5 млн`, they are in millions.
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

/** Maximum length of a label beside the drawing, in characters. */
const tickLength = 12;

/** Returns true if the labels of a scale differ and fit beside a drawing. */
export function canBeLabelled(
  { ticks }: ChartScale,
  { locale }: Pick<ChartSetting, 'locale'>,
): boolean {
  const texts = formatTicks(ticks, locale);
  return areDifferent(texts) && longestOf(texts) <= tickLength;
}

/** Returns true if the values are in per cent, according to their unit or their text. */
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
