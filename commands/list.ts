import { sizeOf } from '../src/terminal/streams.js';
import { formatTable, type TableColumn } from '../src/terminal/table.js';
import type { CommandContext, CommandInput, OptionDefinition } from './command.js';
import { readNumber } from './flags.js';

/** Default number of rows in a list. @internal */
const defaultLimit = 100;

/** Minimum default number of rows, for small windows. */
const minRows = 5;

/** Number of window lines reserved for the titles, the notes below the table and the prompt. */
const otherLines = 5;

/** Returns the flag `--limit`. Its help begins with `verb`. `json` states the default for scripts if it differs. */
export function limitOption(verb: string, json?: 'all with --json'): OptionDefinition {
  const initial = `as many as fit the terminal, otherwise ${defaultLimit}`;
  const defaults = json === undefined ? initial : `${initial}, ${json}`;
  return { flags: '--limit <n>', description: `${verb} (default: ${defaults}; 0 = all)` };
}

/**
 * Returns the number of rows that `--limit` allows. The default is `forScripts` with `--json` or `--csv`. On a
 * terminal, it is the number of rows that fit the window.
 */
export function readListLimit(
  { stdout, output }: Pick<CommandContext, 'stdout' | 'output'>,
  input: CommandInput,
  forScripts: number = defaultLimit,
): number {
  if (input.options.limit !== undefined) {
    const flag = { initial: 0, from: 0, to: 999_999_999, allowed: 'a whole number (0 for all)' };
    return readNumber(input, 'limit', flag) || Number.POSITIVE_INFINITY;
  }
  if (output.json || input.options.csv === true) return forScripts;
  if (!stdout.isTTY) return defaultLimit;
  return Math.min(defaultLimit, Math.max(minRows, sizeOf(stdout).rows - otherLines));
}

/** Returns the note below a list that `limit` has truncated. */
export function cutText(limit: number): string {
  const shown = limit === 1 ? 'Only the newest one is shown' : `Only the newest ${limit} are shown`;
  return `${shown}; --limit 0 shows all.`;
}

interface List<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly TableColumn<Row>[];
  /** The text to print if there are no rows. */
  readonly empty: string;
  /** Position of the newest row. If the window is too small for all rows, the newest row is printed last. */
  readonly newest: 'first' | 'last';
  /** Lines below the table. */
  readonly below?: readonly string[];
}

/**
 * Returns a list as text. If the window cannot show all of it, the newest row and the titles come last, so that they
 * are visible when everything has been printed.
 */
export function listText<Row>(context: CommandContext, list: List<Row>): string {
  const { rows, columns, empty, newest, below = [] } = list;
  const { stdout } = context;
  // Reserves one line each for the titles and the prompt, and one spare line.
  const room = sizeOf(stdout).rows - 3 - below.length;
  if (rows.length === 0) return [empty, ...below].join('\n');
  if (!stdout.isTTY || rows.length <= room) {
    return [tableText(context, rows, columns), ...below].join('\n');
  }
  const text = tableText(context, newest === 'first' ? rows.toReversed() : rows, columns);
  return [text, text.split('\n', 1)[0], ...below].join('\n');
}

/** Returns a table of the rows without empty columns. On a terminal, the table fits its width. */
export function tableText<Row>(
  { output, stdout }: CommandContext,
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
): string {
  const filled = columns.filter(({ text }) => rows.some((row) => text(row) !== ''));
  const width = stdout.isTTY ? output.width : Number.POSITIVE_INFINITY;
  return formatTable({ rows, columns: filled, width, styleTitle: output.colors.dim });
}
