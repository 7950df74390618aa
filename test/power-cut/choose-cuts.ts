import type { Book } from './book.js';
import { byteChoices, nameChoices, type PowerCut } from './power-cut.js';
import type { Random } from './random.js';
import type { Operation } from './trace.js';

/**
 * Returns a function that chooses the time and the effect of a power cut. All kinds of files are equally likely. `only`
 * restricts the choice to matching operations and paths.
 */
export function createCutChooser(operations: readonly Operation[], book: Book, only?: RegExp) {
  const kinds = new Map<string, Operation[]>();
  const handles = new Map<string, string>();
  for (const operation of operations) {
    if (operation.op === 'open') handles.set(operation.handle, operation.path);
    const path = 'path' in operation ? operation.path : handles.get(operation.handle);
    const kind = kindOf(operation.op, path ?? '');
    const same = kinds.get(kind);
    if (same) same.push(operation);
    else kinds.set(kind, [operation]);
  }
  const all = [...kinds].flatMap(([kind, each]) => (only && !only.test(kind) ? [] : [each]));
  const start = Math.min(...operations.map(({ begin }) => begin));
  const moments = book.moments().filter((moment) => moment > start);
  return (random: Random): PowerCut => {
    const names = random.of(nameChoices);
    const bytes = random.of(byteChoices);
    // Immediately after an acknowledgement, most required data may still be missing on disk.
    if (random.next() < 0.3 && !only) return { at: random.of(moments), names, bytes };
    const { begin, end } = random.of(random.of(all));
    const at = random.of([begin + 1, (begin + end) / 2, end, end + 1]);
    return { at: Number.isFinite(at) ? at : begin + 1, names, bytes };
  };
}

/** Returns the same text for operations on files whose names differ only in numbers and IDs. */
function kindOf(op: string, path: string): string {
  const words = path.replace(/[0-9a-f]{8,}|\d+|(evt|dlv)_\w+/gi, '#');
  return `${op} ${words}`;
}
