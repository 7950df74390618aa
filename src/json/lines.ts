import type { Range } from './find-in-text.js';

/** A range of a text. Lines and columns start at 1. Columns are in UTF-16 units, as in editors. */
export interface Position {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** A source line for a code frame. Of a very long line, it contains only the part around the finding. */
export interface SourceLine {
  readonly number: number;
  readonly text: string;
  /** Number of characters that are omitted before `text`. */
  readonly skipped: number;
}

/** Maximum number of characters of a line that are shown. */
const frameWidth = 400;

/** Creates an index that converts offsets in a text to lines and columns. */
export function createLineIndex(text: string) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);

  function lineAndColumn(offset: number): readonly [number, number] {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return [low + 1, offset - (starts[low] ?? 0) + 1];
  }

  function sourceLine(number: number, column: number): SourceLine {
    const start = starts[number - 1] ?? 0;
    const end = (starts[number] ?? text.length + 1) - 1;
    const skipped = column > frameWidth / 2 ? column - frameWidth / 2 : 0;
    const cut = Math.min(end, start + skipped + frameWidth);
    return { number, text: text.slice(start + skipped, cut).replace(/\r$/, ''), skipped };
  }

  return {
    position({ offset, length }: Range): Position {
      const start = Math.min(offset, text.length);
      const end = Math.min(start + Math.max(1, length), Math.max(text.length, start + 1));
      const [line, column] = lineAndColumn(start);
      const [endLine, endColumn] = lineAndColumn(end);
      return { line, column, endLine, endColumn };
    },
    /** Returns the line of a position and the line before it. */
    frame: ({ line, column }: Position): readonly SourceLine[] => [
      ...(line > 1 ? [sourceLine(line - 1, 1)] : []),
      sourceLine(line, column),
    ],
  };
}
