import { keyOf, type TillKey } from './till-keys.js';
import type { TillState } from './till-types.js';

/**
 * The keys that a line stands for at a till without a redrawn screen: a letter is that key, `b` goes back, a number
 * in a list chooses its row, and anything else fills the field and is entered.
 */
export function keysOfLine(state: TillState, line: string): readonly TillKey[] {
  const text = line.trim().slice(0, 100);
  const enter = { name: 'enter' } as const;
  if (text === '') return [enter];
  if (/^[bи]$/i.test(text)) return [{ name: 'escape' }];
  const filled: readonly TillKey[] = [{ name: 'clear' }, { name: 'paste', text }];
  if (state.signingIn) return [...filled, enter];
  if (!/\d/.test(text)) {
    return [text.length === 1 ? { name: 'char', char: keyOf(text) } : { name: 'paste', text }];
  }
  switch (state.screen.name) {
    case 'open':
    case 'refunds':
      return rowKeys(text);
    case 'refund':
      return state.screen.step === 'returned' ? [enter, ...filled, enter] : filled;
    case 'result':
      return [enter, ...filled, enter];
    case 'amount':
    case 'phone':
    case 'invoice':
      return [...filled, enter];
    default:
      return [];
  }
}

/** Rows are numbered from 1; the key of the tenth is 0. */
function rowKeys(text: string): readonly TillKey[] {
  if (!/^([1-9]|10)$/.test(text)) return [];
  return [{ name: 'char', char: text.slice(-1) }, { name: 'enter' }];
}
