import type { ChartItem, ChartSetting } from './build.js';
import { areDifferent, formatTicks, longestOf } from './numbers.js';
import type { ChartScale } from './scale.js';

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
