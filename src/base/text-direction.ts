/** Matches embeddings, overrides and isolates of UAX #9, and the marks that end them. */
const explicit = /[\u202a-\u202e\u2066-\u2069]/;
/** Matches the same marks, and the line breaks that end all of them. */
const steps = /[\u202a-\u202e\u2066-\u2069]|[\n\r\u0085\u2029]/g;
const endOfEmbedding = '\u202c';
const endOfIsolate = '\u2069';

/**
 * Limits the effect of direction marks to their own line of the text. Removes marks that would end a run outside the
 * text, and ends runs that are still open at the end of a line.
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
      // The end of an isolate also ends the embeddings that are open in it.
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

/** Right-to-left scripts and direction marks. */
const turning =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Isolates a text inside a sentence (FSI … PDI) so that its direction does not affect the surrounding words. Text
 * without such characters is returned unchanged.
 */
export function isolateDirection(text: string): string {
  return turning.test(text) ? `\u2068${balanceDirections(text)}\u2069` : text;
}
