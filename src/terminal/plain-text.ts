/** Control characters, and the marks that reorder what is read from left to right. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const unsafe = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

/** Text of strangers, fit for one line of a terminal: it moves no cursor and changes no colour. */
export function plainText(text: string): string {
  return text.replace(unsafe, ' ').trim();
}

/** The same for text of several lines, such as a stack: its line breaks and indentation stay. */
export function plainLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(unsafe, ' ').trimEnd())
    .join('\n');
}
