import type { Locale } from '../format.js';
import type { Words } from '../words/en.js';

/**
 * Builds an element of a chart. The server builds charts as text. The page script uses the same code to build DOM
 * elements when a filter changes the counts.
 */
export type Build<T> = (
  tag: string,
  attributes: Readonly<Record<string, string | number>>,
  ...children: readonly (T | string)[]
) => T;

/** One bar or point of a chart. */
export interface ChartItem {
  readonly label: string;
  /** The value to draw; undefined draws nothing. */
  readonly value: number | undefined;
  /** The value as text. */
  readonly text: string;
  readonly tone?: string | undefined;
  /** Additional lines of the tooltip, already formatted. */
  readonly hint?: readonly string[];
}

/** Settings of a chart with an axis. */
export interface ChartSetting {
  /** The chart's text alternative in one sentence. */
  readonly summary: string;
  /** Colour class of the drawing. */
  readonly color: string;
  /** The unit of all values, if known. */
  readonly unit?: string | undefined;
  readonly words: Words['chart'];
  readonly locale: Locale;
}

/** Rounds a number to two decimals, for attributes. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Converts a fraction to a percentage with up to three decimals, for attributes. */
export function percent(share: number): string {
  return `${Math.round(share * 100_000) / 1000}%`;
}
