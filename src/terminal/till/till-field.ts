import type { TillKey } from './till-keys.js';
import type { Field } from './till-types.js';

/** What may be typed into a field. */
export interface FieldKind {
  readonly takes: RegExp;
  /** What a paste may be made of; any other one is dropped. */
  readonly pasted: RegExp;
  /** Characters; further ones are not taken. */
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

/** Returns a field with an amount (tenge) that the till fills in. */
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
