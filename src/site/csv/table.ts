/** pure: which columns a CSV of products has, and faults by line and column. */

/** The columns, in the order in which they are written. */
export const columns = [
  ...(['id', 'name', 'tagline', 'description', 'price', 'category'] as const),
  ...(['features', 'image'] as const),
] as const;

export type Column = (typeof columns)[number];

/** What is wrong with a CSV; `column` as the header calls it, none where the whole line is meant. */
export interface CsvFault {
  /** From 1; 0 where the whole file is meant. */
  readonly line: number;
  readonly column?: string;
  readonly message: string;
}

/** A record as text by column; columns that the file has not are absent. */
export interface CsvRow {
  /** The line that it begins on, from 1. */
  readonly line: number;
  readonly cells: Readonly<Partial<Record<Column, string>>>;
}

/** The most products of one CSV file. */
export const mostRows = 20_000;
/** Bytes of one CSV file. */
export const mostCsvBytes = 5 * 1024 * 1024;
