import { escapeForeign } from '../base/foreign-text.js';

/**
 * Quotes a word for a shell (sh, bash, zsh). Control characters become escapes that bash and zsh understand
 * (`$'\u001b'`).
 */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  const escaped = escapeForeign(text);
  if (escaped === text) return `'${text.replaceAll("'", "'\\''")}'`;
  return `$'${escapeForeign(text.replace(/[\\']/g, '\\$&'))}'`;
}
