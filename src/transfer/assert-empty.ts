import { AppError } from '../base/errors.js';
import type { RecordReader } from '../base/records.js';
import { isContent } from './kinds.js';

/** Refuses, with `conflict`, a storage that holds anything, and names what that is. */
export async function assertEmpty(name: string, readers: readonly RecordReader[]): Promise<void> {
  const found: string[] = [];
  for (const { kind, read } of readers) {
    if (!isContent(kind)) continue;
    for await (const _ of read()) {
      found.push(kind);
      break;
    }
  }
  if (found.length === 0) return;
  throw new AppError('conflict', `${name} is not empty: it holds ${found.join(', ')}.`, {
    hint: 'Choose an empty one: what is there is never mixed with what is imported.',
  });
}
