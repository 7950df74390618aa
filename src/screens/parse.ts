/** What reading a text as JSON gave: the data, and whether some object names a key twice. */
export type ParsedText =
  | { readonly ok: true; readonly data: unknown; readonly duplicates: boolean }
  | { readonly ok: false; readonly reason: string };

/** A byte order mark is no part of the document (RFC 8259 lets a parser skip it). */
export function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/**
 * Strict JSON, fast: the engine's own parser, and a count that tells whether it had to drop a
 * duplicate key. Finding out where is left to `locate.ts`, which is loaded only when needed.
 */
export function parseText(text: string): ParsedText {
  try {
    const data: unknown = JSON.parse(text);
    return { ok: true, data, duplicates: countNames(text) !== countKeys(data) };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Property names in a text that is known to be JSON: strings followed by a colon. */
function countNames(text: string): number {
  let count = 0;
  let open = text.indexOf('"');
  while (open >= 0) {
    let after = endOfString(text, open);
    // Space, tab, line feed and carriage return are the only white space of JSON.
    while (text.charCodeAt(after) <= 0x20) after++;
    if (text.charCodeAt(after) === 0x3a) count++;
    open = text.indexOf('"', after);
  }
  return count;
}

function endOfString(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (isEscaped(text, close)) close = text.indexOf('"', close + 1);
  return close + 1;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes++;
  return backslashes % 2 === 1;
}

/** Keys of all objects inside; a stack of its own, so that no depth of nesting overflows the engine's. */
function countKeys(data: unknown): number {
  let count = 0;
  const stack: unknown[] = [data];
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const items = Object.values(value);
    if (!Array.isArray(value)) count += items.length;
    for (const item of items) if (typeof item === 'object' && item !== null) stack.push(item);
  }
  return count;
}
