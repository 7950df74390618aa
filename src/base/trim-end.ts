/**
 * Removes these characters from the end of a text. A pattern such as `/x+$/` would take quadratic time, because it
 * restarts at every `x`.
 */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
