/** Embeddings, overrides and isolates of UAX #9, the marks that end them, and the line breaks that end all of them. */
const explicit = /[\u202a-\u202e\u2066-\u2069]/;
const steps = /[\u202a-\u202e\u2066-\u2069]|[\n\r\u0085\u2029]/g;
const endOfEmbedding = '\u202c';
const endOfIsolate = '\u2069';

/**
 * Returns a text whose marks of direction affect only their own line: removes marks that would end something outside
 * the text, and ends what is still open at the end.
 */
export function balanceDirections(text: string): string {
  if (!explicit.test(text)) return text;
  const open: string[] = [];
  let isolates = 0;
  const endAll = (): string => {
    isolates = 0;
    return open.splice(0).reverse().join('');
  };
  const balanced = text.replace(steps, (sign) => {
    if (sign === endOfEmbedding) return open.at(-1) === sign ? (open.pop() ?? '') : '';
    if (sign === endOfIsolate) {
      if (isolates === 0) return '';
      // The end of an isolate ends the embeddings that are open in it.
      while (open.pop() !== endOfIsolate);
      isolates -= 1;
      return sign;
    }
    if (!explicit.test(sign)) return endAll() + sign;
    const isolate = sign >= '\u2066';
    if (isolate) isolates += 1;
    open.push(isolate ? endOfIsolate : endOfEmbedding);
    return sign;
  });
  return balanced + endAll();
}

/** Scripts written from right to left, and marks of direction. */
const turning =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Isolates a text inside a sentence (FSI … PDI), so that its direction does not affect the words around it. A text
 * without such characters stays unchanged.
 */
export function isolateDirection(text: string): string {
  return turning.test(text) ? `\u2068${balanceDirections(text)}\u2069` : text;
}
