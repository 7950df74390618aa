import { findDuplicateKeys } from '../../json/duplicate-keys.js';
import { createLineIndex } from '../../json/lines.js';
import { quote } from '../text/quote.js';
import type { PlacedProblem } from './findings.js';
import { type AddProblem, mostFindings } from './gather.js';

/** Every key that its object has already named, in a text that is known to be JSON. */
export function checkDuplicateKeys(text: string, add: AddProblem): void {
  const lines = createLineIndex(text);
  let described = 0;
  findDuplicateKeys(text, ({ name, range, first, path }) => {
    // A place is written for those that are shown; all are counted.
    if (described++ >= mostFindings) return add('error', neverShown);
    const { line } = lines.position({ offset: first, length: 1 });
    const message = `The object already has a key ${quote(name)}, on line ${line}; only the last one counts.`;
    const rule = { rule: 'duplicate-key', severity: 'error' } as const;
    const problem: PlacedProblem = { ...rule, path: path(), message, range };
    add('error', () => problem);
  });
}

function neverShown(): never {
  throw new Error('More findings are described than are shown.');
}
