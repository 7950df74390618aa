import { setImmediate as nextTurn } from 'node:timers/promises';

/** Text made in one go between two turns of the event loop: well below a millisecond's work. */
const chunkLength = 64 * 1024;

/**
 * JSON text of a plain value in pieces, one list entry a line, letting the event loop turn between
 * them, so that writing a large document stalls nobody. Lists and objects of the outer two levels are
 * taken apart; what they hold is taken as it is when its turn comes, so hand in immutable records.
 */
export async function* jsonChunks(value: unknown): AsyncGenerator<string> {
  let text = '';
  for (const piece of pieces(value, 2)) {
    text += piece;
    if (text.length < chunkLength) continue;
    yield text;
    text = '';
    await nextTurn();
  }
  yield `${text}\n`;
}

function* pieces(value: unknown, depth: number): Generator<string> {
  if (depth === 0 || typeof value !== 'object' || value === null || 'toJSON' in value) {
    yield JSON.stringify(value);
  } else if (Array.isArray(value)) {
    yield* list(value);
  } else {
    yield* fields(value, depth);
  }
}

function* list(values: readonly unknown[]): Generator<string> {
  if (values.length === 0) return yield '[]';
  let before = '[\n';
  for (const entry of values) {
    yield before;
    // Entries of a list are records: one line each.
    yield JSON.stringify(entry) ?? 'null';
    before = ',\n';
  }
  yield '\n]';
}

function* fields(value: object, depth: number): Generator<string> {
  const known = Object.entries(value).filter(([, entry]) => entry !== undefined);
  if (known.length === 0) return yield '{}';
  let before = '{\n';
  for (const [name, entry] of known) {
    yield `${before}${JSON.stringify(name)}: `;
    yield* pieces(entry, depth - 1);
    before = ',\n';
  }
  yield '\n}';
}
