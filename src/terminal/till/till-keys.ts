import type { Field, TillKey } from './till-types.js';

/** Characters of a paste; the fields accept far fewer. */
const maxPasteLength = 1_000;

const pasteStart = '\u001b[200~';
const pasteEnd = '\u001b[201~';

/** Keys that terminals send as a sequence: CSI and SS3 (ECMA-48). */
const named: Readonly<Record<string, TillKey>> = {
  '\u001b[A': { name: 'up' },
  '\u001bOA': { name: 'up' },
  '\u001b[B': { name: 'down' },
  '\u001bOB': { name: 'down' },
  '\u001bOM': { name: 'enter' },
  '\u001b[3~': { name: 'backspace' },
  '\u001b': { name: 'escape' },
  '\u0003': { name: 'interrupt' },
  '\u0008': { name: 'backspace' },
  '\u007f': { name: 'backspace' },
  '\u0015': { name: 'clear' },
  '\u000c': { name: 'redraw' },
};

/** The same keys on a Russian or Kazakh layout, so a cashier need not switch it. */
const cyrillic: Readonly<Record<string, string>> = {
  ш: 'i',
  к: 'r',
  р: 'h',
  е: 't',
  щ: 'o',
  с: 'c',
  н: 'y',
  ы: 's',
  и: 'b',
  ю: '.',
  б: ',',
};

/** The rest of a key's escape sequence. */
const sequence = /^(?:\[[0-9;?<>=]*[ -/]*[@-~]|O[A-Za-z])/;

/** Text up to the next control character other than a tab or a line break. */
const run = /^(?:\P{Cc}|[\t\r\n])+/u;

/**
 * Typed text that may arrive in one chunk on a busy machine: an amount, phone or code, with a command before it and the
 * key that ends it. Longer text, or text with several lines, is a paste.
 */
const typed = /^\r?\p{L}?[\d.,?+() -]{0,24}\p{L}?\r?$/u;

/**
 * Returns a function that reads keys from the chunks of a terminal in raw mode. A paste is one key, which never triggers
 * a command. The terminal marks it (bracketed paste), or it arrives in one chunk with words or line breaks.
 */
export function createKeyReader(): (chunk: string) => readonly TillKey[] {
  let pasted: string | undefined;

  function readPaste(text: string): readonly TillKey[] {
    const all = (pasted ?? '') + text;
    const end = all.indexOf(pasteEnd);
    if (end < 0) {
      // The end mark may arrive in two chunks, so the last characters are kept.
      pasted = all.length > maxPasteLength ? all.slice(0, maxPasteLength) + all.slice(-8) : all;
      return [];
    }
    pasted = undefined;
    const paste: TillKey = { name: 'paste', text: all.slice(0, Math.min(end, maxPasteLength)) };
    return [paste, ...read(all.slice(end + pasteEnd.length))];
  }

  function read(chunk: string): readonly TillKey[] {
    if (pasted !== undefined) return readPaste(chunk);
    const start = chunk.indexOf(pasteStart);
    if (start < 0) return keysOf(chunk);
    pasted = '';
    return [...keysOf(chunk.slice(0, start)), ...readPaste(chunk.slice(start + pasteStart.length))];
  }

  return read;
}

function keysOf(chunk: string): readonly TillKey[] {
  const keys: TillKey[] = [];
  for (let rest = chunk; rest !== ''; ) {
    const text = run.exec(rest)?.[0];
    const part = text ?? controlAt(rest);
    const key = named[part];
    if (text !== undefined) keys.push(...textKeys(text));
    else if (key) keys.push(key);
    rest = rest.slice(part.length);
  }
  return keys;
}

function controlAt(text: string): string {
  const [first = ''] = text;
  return first === '\u001b' ? first + (sequence.exec(text.slice(1))?.[0] ?? '') : first;
}

function textKeys(text: string): readonly TillKey[] {
  if (/^[\r\n]+$/.test(text)) return [{ name: 'enter' }];
  if (!typed.test(text)) return [{ name: 'paste', text: text.slice(0, maxPasteLength) }];
  return [...text].map((char) =>
    char === '\r' ? { name: 'enter' } : { name: 'char', char: keyOf(char) },
  );
}

/** Returns the key of a character on the Latin layout. */
export function keyOf(character: string): string {
  const lower = character.toLowerCase();
  return cyrillic[lower] ?? lower;
}

/** The valid input of a field. */
interface FieldKind {
  /** Matches a valid character. */
  readonly takes: RegExp;
  /** Matches a valid paste. */
  readonly pasted: RegExp;
  /** The most characters. */
  readonly longest: number;
}

export const amountField: FieldKind = {
  takes: /^[\d.,]$/,
  pasted: /^[\d\s.,_]+₸?$/,
  longest: 18,
};
export const phoneField: FieldKind = {
  takes: /^[\d+() -]$/,
  pasted: /^[\d\s+()-]+$/,
  longest: 24,
};
export const codeField: FieldKind = { takes: /^[\da-z]$/, pasted: /^[\da-z\s]+$/i, longest: 12 };

export const emptyField: Field = { text: '' };

/** Returns a field that is filled with an amount in tenge. */
export function amountIn(amount: number): Field {
  return { text: String(amount).replace('.', ','), isReplaceable: true };
}

/** Returns the field after its amount was refused: Backspace edits it, anything else replaces it. */
export function refusedAmount({ text }: Field, fault: string): Field {
  return { text, fault, isReplaceable: true };
}

/** Returns the field after a key; undefined if the key does not edit it; the same field if a paste does not fit. */
export function editField(field: Field, key: TillKey, kind: FieldKind): Field | undefined {
  const text = field.isReplaceable && key.name !== 'backspace' ? '' : field.text;
  switch (key.name) {
    case 'backspace':
      return { text: [...text].slice(0, -1).join('') };
    case 'clear':
      return { text: '' };
    case 'char':
      return kind.takes.test(key.char) ? added(text, key.char, kind) : undefined;
    case 'paste': {
      const [line = '', ...more] = key.text.trim().split(/[\r\n]+/);
      const fits = more.length === 0 && kind.pasted.test(line) && line.length <= kind.longest;
      return fits ? added(text, line, kind) : field;
    }
    default:
      return undefined;
  }
}

function added(text: string, more: string, kind: FieldKind): Field {
  const taken = [...more].filter((char) => kind.takes.test(char)).join('');
  return { text: (text + taken.replaceAll('.', ',')).slice(0, kind.longest) };
}
