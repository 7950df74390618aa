import { sizeOf } from '../src/terminal/streams.js';
import type { TableColumn } from '../src/terminal/table.js';
import type { CommandContext, CommandInput } from './command.js';
import { defaultLimit, readLimit } from './flags.js';
import { tableText } from './print-table.js';

/** Lines of a window that are left beside a list's rows: for its titles, what is said below, and the prompt. */
const otherLines = 5;

/** Rows that are shown however small the window is. */
const fewestRows = 5;

/** What `--limit` is where it is not given, for the help. */
export const limitDefault = `what fits the window, ${defaultLimit} where there is none`;

type Surroundings = Pick<CommandContext, 'stdout' | 'output'>;

/**
 * The rows of a list that `--limit` allows. Where it is not given, a terminal gets as many as its window shows
 * beside the titles and the prompt, and a script `forScripts`.
 */
export function readListLimit(
  { stdout, output }: Surroundings,
  input: CommandInput,
  forScripts: number = defaultLimit,
): number {
  if (input.options.limit !== undefined) return readLimit(input);
  if (output.json || input.options.csv === true) return forScripts;
  return stdout.isTTY ? Math.min(defaultLimit, rowsIn(stdout)) : defaultLimit;
}

function rowsIn(stdout: CommandContext['stdout']): number {
  return Math.max(fewestRows, sizeOf(stdout).rows - otherLines);
}

/** The sentence below a list that `limit` has cut. */
export function cutText(limit: number): string {
  const shown = limit === 1 ? 'Only the newest one is shown' : `Only the newest ${limit} are shown`;
  return `${shown}; --limit 0 shows all.`;
}

interface ListForm<Row> {
  readonly columns: readonly TableColumn<Row>[];
  /** Where the newest row is; in a window that is too small for all of them it is printed last. */
  readonly newest: 'first' | 'last';
  /** Lines that are printed below the list. */
  readonly linesBelow?: number;
}

/**
 * A list as a table. Where a window cannot show all of it, the newest row and the titles come last, so that they
 * are what is seen when everything has been printed.
 */
export function listText<Row>(
  context: CommandContext,
  rows: readonly Row[],
  { columns, newest, linesBelow = 0 }: ListForm<Row>,
): string {
  const { stdout } = context;
  // One line each for the titles and the prompt, and one to spare.
  const room = sizeOf(stdout).rows - 3 - linesBelow;
  if (!stdout.isTTY || rows.length <= room) return tableText(context, rows, columns);
  const text = tableText(context, newest === 'first' ? rows.toReversed() : rows, columns);
  return `${text}\n${text.split('\n', 1)[0]}`;
}
