import { AppError } from '../base/errors.js';
import type { RecordReader, RecordWriter } from '../base/records.js';
import type { TransferMark } from '../storage/transfer-mark.js';
import type { RecordStream } from './record-stream.js';

/** Readers of everything that a storage holds, as of one moment. `now` is when that is, in milliseconds. */
export type ReadAll = <Result>(
  now: number,
  work: (readers: readonly RecordReader[]) => Promise<Result>,
) => Promise<Result>;

/** Records in files. */
export interface FolderRecords {
  /** As of `now`, in milliseconds. */
  readers(now: number): readonly RecordReader[];
  /** Writers for where there is nothing, in the order of an export. */
  writers(): Promise<readonly RecordWriter[]>;
  /** Only ever called where there was nothing, or what an import left that nobody was to use. */
  remove(): Promise<void>;
}

/** A storage that is read; it stays as it is. */
export interface Source {
  /** For people: a folder, or a database's address without the password. */
  readonly name: string;
  readonly storage: 'json' | 'postgres';
  readonly mark: TransferMark | undefined;
  /** Fingerprints of the secrets that are known to go with the data. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly read: ReadAll;
  /** Keeps everybody from working on with what has gone elsewhere. */
  markMoved(to: string): Promise<void>;
  close(): Promise<void>;
}

/** A storage that is being filled. Until `release` nobody may use it. */
export interface Target {
  readonly name: string;
  /** Stores everything of a stream; goes on where an earlier try with the same stream ended. */
  load(stream: RecordStream): Promise<void>;
  /** Takes out what an earlier try has stored. */
  restart(): Promise<void>;
  readonly read: ReadAll;
  /** Lets everybody use it; `secrets` are fingerprints of those that go with the data. */
  release(secrets: Readonly<Record<string, string>>): Promise<void>;
  close(): Promise<void>;
}

/** An earlier try stored something else than what comes now; `restart` helps. */
export class OtherStream extends Error {}

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
