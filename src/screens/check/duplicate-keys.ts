import { findDuplicateKeys } from '../../json/duplicate-keys.js';
import { createLineIndex } from '../../json/lines.js';
import { quote } from '../text/quote.js';
import type { Problem } from './findings.js';
import type { AddProblem } from './gather.js';

/**
 * Every key that its object has already named, in a text that is known to be JSON. At most `most` of them
 * are described: a place is written while it is found.
 */
export function checkDuplicateKeys(text: string, add: AddProblem, most: number): void {
  const lines = createLineIndex(text);
  let described = 0;
  findDuplicateKeys(text, ({ name, range, first, path }) => {
    if (described++ >= most) return add('error', neverShown);
    const { line } = lines.position({ offset: first, length: 1 });
    const message = `The object already has a key ${quote(name)}, on line ${line}; only the last one counts.`;
    const rule = { rule: 'duplicate-key', severity: 'error' } as const;
    const problem: Problem = { ...rule, path: path(), message, range };
    add('error', () => problem);
  });
}

function neverShown(): never {
  throw new Error('More findings are described than are shown.');
}
