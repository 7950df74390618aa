import type { Field, TillKey } from './till-types.js';

/** Maximum length of a paste, in characters. The fields accept far fewer characters. */
const maxPasteLength = 1_000;

const pasteStart = '\u001b[200~';
const pasteEnd = '\u001b[201~';

/** Keys by the control characters or sequences (CSI and SS3 in ECMA-48) that terminals send. */
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

/** Latin keys by their character on a Russian or Kazakh layout, so that a cashier does not have to switch layouts. */
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

/** Matches the rest of a key's escape sequence. */
const sequence = /^(?:\[[0-9;?<>=]*[ -/]*[@-~]|O[A-Za-z])/;

/** Matches text up to the next control character other than a tab or a line break. */
const run = /^(?:\P{Cc}|[\t\r\n])+/u;

/**
 * Matches typed text that may arrive in one chunk on a busy machine: an amount, a phone number or a code, possibly with
 * a command and Enter before and after it. Longer text, or text with several lines, is treated as a paste.
 */
const typed = /^\r?\p{L}?[\d.,?+() -]{0,24}\p{L}?\r?$/u;

/**
 * Returns a function that reads keys from the chunks of a terminal in raw mode. A paste is one key and never triggers a
 * command. Either the terminal marks it (bracketed paste), or it is a single chunk with words or line breaks.
 */
export function createKeyReader(): (chunk: string) => readonly TillKey[] {
  let pasted: string | undefined;

  function readPaste(text: string): readonly TillKey[] {
    const all = (pasted ?? '') + text;
    const end = all.indexOf(pasteEnd);
    if (end < 0) {
      // The end mark may be split between two chunks, so the last characters are kept.
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

/** Returns the key of a character on the Latin keyboard layout. */
export function keyOf(character: string): string {
  const lower = character.toLowerCase();
  return cyrillic[lower] ?? lower;
}

/** Rules for the input of a field. */
interface FieldKind {
  /** Matches a valid character. */
  readonly character: RegExp;
  /** Matches a valid paste. */
  readonly paste: RegExp;
  /** Maximum length, in characters. */
  readonly maxLength: number;
}

export const amountField: FieldKind = {
  character: /^[\d.,]$/,
  paste: /^[\d\s.,_]+₸?$/,
  maxLength: 18,
};
export const phoneField: FieldKind = {
  character: /^[\d+() -]$/,
  paste: /^[\d\s+()-]+$/,
  maxLength: 24,
};
export const codeField: FieldKind = {
  character: /^[\da-z]$/,
  paste: /^[\da-z\s]+$/i,
  maxLength: 12,
};

export const emptyField: Field = { text: '' };

/** Returns a field that contains an amount in tenge. */
export function amountIn(amount: number): Field {
  return { text: String(amount).replace('.', ','), isReplaceable: true };
}

/** Returns the field after its amount was rejected. Backspace edits the amount, and any other input replaces it. */
export function rejectedAmount({ text }: Field, fault: string): Field {
  return { text, fault, isReplaceable: true };
}

/** Returns the field after a key, undefined if the key does not edit it, or the same field if a paste is invalid. */
export function editField(field: Field, key: TillKey, kind: FieldKind): Field | undefined {
  const text = field.isReplaceable && key.name !== 'backspace' ? '' : field.text;
  switch (key.name) {
    case 'backspace':
      return { text: [...text].slice(0, -1).join('') };
    case 'clear':
      return { text: '' };
    case 'char':
      return kind.character.test(key.char) ? added(text, key.char, kind) : undefined;
    case 'paste': {
      const [line = '', ...more] = key.text.trim().split(/[\r\n]+/);
      const isValid = more.length === 0 && kind.paste.test(line) && line.length <= kind.maxLength;
      return isValid ? added(text, line, kind) : field;
    }
    default:
      return undefined;
  }
}

function added(text: string, more: string, kind: FieldKind): Field {
  const valid = [...more].filter((char) => kind.character.test(char)).join('');
  return { text: (text + valid.replaceAll('.', ',')).slice(0, kind.maxLength) };
}
