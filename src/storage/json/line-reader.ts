import { readAt } from '../../base/files/durable-write.js';
import type { OpenFile } from '../../base/files/file-layer.js';

/** One whole line of a file: without its line break, and where it begins. */
export interface Line {
  readonly text: string;
  readonly number: number;
  readonly start: number;
  /** Where the next line begins. */
  readonly end: number;
}

const blockLength = 1024 * 1024;
const lineBreak = 10;

/**
 * Every line of a file that ends in a line break, in order, with memory for one block and one line.
 * What follows the last line break (a torn line) is not among them.
 */
export async function* readLines(file: OpenFile, from = 0): AsyncGenerator<Line> {
  let rest: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  let start = from;
  let number = 1;
  for (let position = from; ; ) {
    const block = await readAt(file, position, blockLength);
    if (block.length === 0) return;
    position += block.length;
    rest = rest.length === 0 ? block : Buffer.concat([rest, block]);
    let begin = 0;
    for (let end = rest.indexOf(lineBreak); end >= 0; end = rest.indexOf(lineBreak, begin)) {
      const text = rest.toString('utf8', begin, end);
      const length = end + 1 - begin;
      yield { text, number, start, end: start + length };
      begin = end + 1;
      start += length;
      number += 1;
    }
    rest = rest.subarray(begin);
  }
}
