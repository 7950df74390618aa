import { clamp } from '../../normalise/frame.js';
import type { ChartItem, ChartSetting } from './build.js';
import { areDifferent, formatTicks, longestOf } from './numbers.js';

/** The values at the foot and the top of a plot, and those that its lines stand for. */
export interface ChartScale {
  readonly low: number;
  readonly high: number;
  /** From low to high, evenly spaced round numbers. */
  readonly ticks: readonly number[];
}

type Values = readonly Pick<ChartItem, 'value'>[];

/** Spaces between the lines of a plot at most: about 24 px each. */
const spacesOfPlot = 5;
const factors = [1, 2, 2.5, 5] as const;

/** Numbers beyond these are drawn as these: their ticks would leave what a number can be. */
const [largest, smallest] = [1e308, 1e-300];

/** A scale that contains zero: bars and areas are read by their length from there. */
export function zeroScale(items: Values): ChartScale {
  let [low, high] = [0, 0];
  for (const { value = 0 } of items) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return niceScale(low, high, areWhole(items));
}

/** From the lowest value to the highest, zero included: for bars with their values beside them. */
export function tightScale(items: Values): ChartScale {
  const low = items.reduce((least, { value = 0 }) => Math.min(least, within(value)), 0);
  const high = items.reduce((most, { value = 0 }) => Math.max(most, within(value)), 0);
  return { low, high: high - low < smallest ? 1 : high, ticks: [] };
}

/**
 * The scale of a line. Where its values lie close together and far from zero, it closes in on them: they
 * take half of its height, so that a change is seen and is not a cliff (docs/decisions/0027). `most` is a
 * value that the scale does not pass unless the line does, such as 100 %.
 */
export function lineScale(items: Values, most = Number.POSITIVE_INFINITY): ChartScale {
  const values = items.flatMap(({ value }) => (value === undefined ? [] : value));
  const min = values.reduce((least, value) => Math.min(least, value), values[0] ?? 0);
  const max = values.reduce((greatest, value) => Math.max(greatest, value), values[0] ?? 0);
  const spread = max - min;
  const farthest = Math.max(max, -min);
  // What differs less than by a billionth has no ticks that can be told apart.
  const isNear = spread > farthest / 1e9 && spread <= farthest / 2 && farthest < largest;
  if (!isNear) return zeroScale(items);
  const margin = spread / 2;
  const high = max > most ? max + margin : Math.min(max + margin, most);
  return niceScale(min - margin, high, areWhole(items));
}

/** A scale of counts from zero with as many spaces as there are, for lines that stay where they are. */
export function scaleInSpaces(highest: number, spaces: number): ChartScale {
  return niceScale(0, Math.max(1, highest), true, spaces);
}

/** How far above the foot of the plot a value is: 0 to 1. */
export function heightOf(value: number, { low, high }: ChartScale): number {
  // Of halves: the difference of very large numbers is infinite.
  return clamp((within(value) / 2 - low / 2) / (high / 2 - low / 2), 0, 1);
}

/**
 * Round ticks around two values; whole numbers are divided into whole numbers. There are as many spaces
 * between them as are wanted, else as few as their round steps make.
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
      // Read as a decimal, the multiple of a step has no digits of binary fractions.
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

/** What stands around every number of a chart, such as ` %` and `$`. */
interface Affixes {
  readonly before: string;
  readonly after: string;
}

/** Longer texts around numbers are no unit. */
const affixLength = 6;
/** Characters of a value that may be a number with a unit. */
const longestValue = 64;

const none: Affixes = { before: '', after: '' };

/**
 * The labels of a scale. What is written around every number of the points is written around theirs: a
 * scale of `90 %` and `92 %` is one of per cent, and the millions of `3,5 млн` are millions.
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

/** More characters than this would take the room of the drawing. */
const tickLength = 12;

/** Whether the labels of a scale differ, and are short enough to stand beside a drawing. */
export function canBeLabelled(
  { ticks }: ChartScale,
  { locale }: Pick<ChartSetting, 'locale'>,
): boolean {
  const texts = formatTicks(ticks, locale);
  return areDifferent(texts) && longestOf(texts) <= tickLength;
}

/** Whether the values are per cent: by their unit, or as they are written. */
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

/** The signs and words before the first and after the last digit of a text, but for its sign. */
function affixesIn(text: string): Affixes {
  if (text.length > longestValue || /[×·]10/u.test(text)) return none;
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
