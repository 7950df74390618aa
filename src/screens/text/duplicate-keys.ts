import type { PlacedProblem } from '../check/findings.js';
import { type AddProblem, mostFindings } from '../check/gather.js';
import { pointer } from '../definition/values.js';
import { endOfString, type Range, readString } from './find-in-text.js';
import { createLineIndex } from './lines.js';
import { quote } from './quote.js';

/** An object or list that is being read. */
interface Open {
  /** Where each name of an object stands first; a list has none. */
  readonly names: Map<string, number> | undefined;
  /** The name or index that is being read. */
  step: string | number;
  /** Whether a string is a name. */
  atName: boolean;
}

/**
 * Every key that its object has already named, in a text that is known to be JSON. The text is read
 * once, with a stack of its own: no depth of nesting overflows the engine's.
 */
export function findDuplicateKeys(text: string, add: AddProblem): void {
  const lines = createLineIndex(text);
  const stack: Open[] = [];
  let described = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    const top = stack.at(-1);
    if (sign === '{') stack.push({ names: new Map(), step: '', atName: true });
    else if (sign === '[') stack.push({ names: undefined, step: 0, atName: false });
    else if (sign === '}' || sign === ']') stack.pop();
    else if (sign === ',' && top) nextIn(top);
    else if (sign === '"') {
      const end = endOfString(text, at);
      if (top?.names && top.atName) {
        const name = readString(text, at, end);
        const first = top.names.get(name);
        top.step = name;
        top.atName = false;
        if (first === undefined) top.names.set(name, at);
        // A place is written for those that are shown; all are counted.
        else if (described++ < mostFindings) {
          const line = lines.position({ offset: first, length: 1 }).line;
          const problem = duplicate(name, placeOf(stack), { offset: at, length: end - at }, line);
          add('error', () => problem);
        } else add('error', neverShown);
      }
      at = end - 1;
    }
  }
}

function nextIn(open: Open): void {
  if (open.names) open.atName = true;
  else if (typeof open.step === 'number') open.step++;
}

/** Deeper places are named by the object around them. */
const deepestPlace = 100;

function placeOf(stack: readonly Open[]): string {
  return pointer(...stack.slice(0, deepestPlace).map(({ step }) => step));
}

function duplicate(key: string, path: string, range: Range, first: number): PlacedProblem {
  const message = `The object already has a key ${quote(key)}, on line ${first}; only the last one counts.`;
  return { rule: 'duplicate-key', severity: 'error', path, message, range };
}

function neverShown(): never {
  throw new Error('More findings are described than are shown.');
}
