/** Text that stands in JSON, and shows on a terminal, as it is. */
export const plainText = /^[ !#-[\]-~]*$/;

/** `JSON.stringify` of a text. Most texts that a program makes itself need nothing but the quotes. */
export function jsonText(text: string): string {
  return plainText.test(text) ? `"${text}"` : JSON.stringify(text);
}
