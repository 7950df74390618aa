import type { Locale } from '../format.js';
import type { Words } from '../words/en.js';

/**
 * Charts are written once and drawn twice: the server builds text from them, the page script elements
 * (when a filter changes what is counted). `T` is what a builder makes.
 */
export type Build<T> = (
  tag: string,
  attributes: Readonly<Record<string, string | number>>,
  ...children: readonly (T | string)[]
) => T;

/** One bar or point of a chart. */
export interface ChartItem {
  readonly label: string;
  /** What is drawn; nothing where it is undefined. */
  readonly value: number | undefined;
  /** The value as it is read. */
  readonly text: string;
  readonly tone?: string | undefined;
  /** Further lines of a hint, ready to show. */
  readonly hint?: readonly string[];
}

/** What a chart with an axis is drawn with, besides its items. */
export interface ChartSetting {
  /** The text equivalent in one sentence. */
  readonly summary: string;
  /** Colour class of the drawing. */
  readonly color: string;
  /** What all values are counted in, where it is known. */
  readonly unit?: string | undefined;
  readonly words: Words['chart'];
  readonly locale: Locale;
}

/** A number with at most two decimals, for attributes. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Per cent of a width or height with at most three decimals, for attributes. */
export function percent(share: number): string {
  return `${Math.round(share * 100_000) / 1000}%`;
}
