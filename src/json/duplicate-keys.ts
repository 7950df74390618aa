import { endOfString, type Range, readString } from './find-in-text.js';
import { pointer } from './pointers.js';

/** A key that its object has already named. */
export interface DuplicateKey {
  readonly name: string;
  /** Where it stands. */
  readonly range: Range;
  /** Where its name stood first. */
  readonly first: number;
  /** Its JSON Pointer; of a deep one the object around it. To be asked for at once. */
  path(): string;
}

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
export function findDuplicateKeys(text: string, found: (duplicate: DuplicateKey) => void): void {
  const stack: Open[] = [];
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
        else {
          const range = { offset: at, length: end - at };
          found({ name, range, first, path: () => placeOf(stack) });
        }
      }
      at = end - 1;
    }
  }
}

function nextIn(open: Open): void {
  if (open.names) open.atName = true;
  else if (typeof open.step === 'number') open.step++;
}

/** The deepest location that is named; deeper ones are named by the object around them. */
const deepestPlace = 100;

function placeOf(stack: readonly Open[]): string {
  return pointer(...stack.slice(0, deepestPlace).map(({ step }) => step));
}
