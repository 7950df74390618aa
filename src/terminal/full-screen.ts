import type { OutputStream } from './streams.js';

/** What ink begins with where the last drawing took all rows: screen and scrollback erased, cursor to the corner. */
const clearAll = '\u001b[2J\u001b[3J\u001b[H';

/**
 * The terminal as ink is to use it: a drawing that takes all rows is painted over the one before, row by row. Ink itself
 * erases everything first, which flickers and takes from a cashier what stood on the terminal before.
 */
export function paintingOver(terminal: OutputStream): OutputStream {
  const write = (chunk: unknown, ...rest: unknown[]): unknown => {
    const isAnew = typeof chunk === 'string' && chunk.startsWith(clearAll);
    const text = isAnew ? overpaint(chunk.slice(clearAll.length), terminal.rows ?? 0) : chunk;
    return Reflect.apply(terminal.write, terminal, [text, ...rest]);
  };
  return new Proxy(terminal, {
    get(target, name) {
      if (name === 'write') return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** A row is erased before it is written: after it, the cursor may stand on its last column. */
function overpaint(drawing: string, rows: number): string {
  const lines = drawing.split('\n');
  const painted = lines.map((line) => `\u001b[2K${line}`).join('\n');
  return `\u001b[H${painted}${lines.length < rows ? '\n\u001b[J' : ''}`;
}
