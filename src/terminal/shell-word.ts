import { escapeForeign } from '../base/foreign-text.js';

/**
 * A word as it can be pasted into a shell (sh, bash, zsh), whatever it holds. What could steer the terminal
 * is written as an escape that bash and zsh undo (`$'\u001b'`).
 */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  const escaped = escapeForeign(text);
  if (escaped === text) return `'${text.replaceAll("'", "'\\''")}'`;
  return `$'${escapeForeign(text.replace(/[\\']/g, '\\$&'))}'`;
}
