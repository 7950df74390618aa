/** Embeddings, overrides and isolates of UAX #9, what ends them, and the line breaks that end all of them. */
const explicit = /[\u202a-\u202e\u2066-\u2069]/;
const steps = /[\u202a-\u202e\u2066-\u2069]|[\n\r\u0085\u2029]/g;
const endOfEmbedding = '\u202c';
const endOfIsolate = '\u2069';

/**
 * A text whose marks of direction reach no further than its own line: what would end something outside is left
 * out, and what is open at the end is ended.
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

/** Scripts that are written from right to left, and marks of direction. */
const turning =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A text inside a sentence of its own direction: what it is made of turns nothing around it (FSI … PDI). A text
 * that could turn nothing stays as it is.
 */
export function isolateDirection(text: string): string {
  return turning.test(text) ? `\u2068${balanceDirections(text)}\u2069` : text;
}
