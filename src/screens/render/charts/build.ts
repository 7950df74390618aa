import type { Locale } from '../format.js';
import type { Words } from '../words/en.js';

/**
 * Builds an element. Charts are written once and drawn twice: by the server as text, and by the page script as
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
  /** Further lines of a hint, formatted. */
  readonly hint?: readonly string[];
}

/** How to draw a chart with an axis. */
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

/** Returns a share of a width or height as per cent with up to three decimals, for attributes. */
export function percent(share: number): string {
  return `${Math.round(share * 100_000) / 1000}%`;
}
