/**
 * A text without any of these characters at its end. A pattern such as `/x+$/` would start again at
 * every x, which takes time with the square of their number.
 */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
