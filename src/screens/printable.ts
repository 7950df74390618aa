// Controls, line separators, and the marks that hide text or reorder what stands around them.
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b\ufeff]/gu;

/** Text of a stranger, safe to print: nothing in it can move the cursor or reorder the line. */
export function printable(text: string): string {
  return text.replace(unsafe, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A value from a definition as it is quoted in a message: short, on one line, safe to print. */
export function quote(value: unknown, limit = 40): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  return `"${shorten(printable(value), limit)}"`;
}

/** The first `limit` characters, with an ellipsis where something was left out. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const characters = [...text];
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join('')}…`;
}
