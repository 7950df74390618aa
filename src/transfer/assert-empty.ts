import { AppError } from '../base/errors.js';
import type { RecordReader } from '../base/records.js';

/** Kinds that every deployment has a record of, however little it holds. */
const always = ['site-settings', 'site-ids', 'message-ids'];

/**
 * Kinds of which there may be records in an otherwise empty storage: an import that was given up leaves the highest ID,
 * and a server that has only been started leaves facts about the deployment.
 */
const leftBehind = ['chat-ids', 'state'];

/** Whether every deployment has a record of this kind. */
export function isAlways(kind: string): boolean {
  return always.includes(kind);
}

/** Refuses, with `conflict`, a storage that holds anything, and names what that is. */
export async function assertEmpty(name: string, readers: readonly RecordReader[]): Promise<void> {
  const found: string[] = [];
  for (const { kind, read } of readers) {
    if (isAlways(kind) || leftBehind.includes(kind)) continue;
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
