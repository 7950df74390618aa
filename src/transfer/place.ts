import { AppError } from '../base/errors.js';
import type { RecordReader, RecordWriter } from '../base/records.js';
import type { TransferMark } from '../storage/transfer-mark.js';
import type { RecordStream } from './record-stream.js';

/** Reads all data of a storage as of `now`, in milliseconds. */
export type ReadAll = <Result>(
  now: number,
  work: (readers: readonly RecordReader[]) => Promise<Result>,
) => Promise<Result>;

/** The records of a folder. */
export interface FolderRecords {
  /** Returns readers as of `now`, in milliseconds. */
  readers(now: number): readonly RecordReader[];
  /** Returns writers for an empty folder, in the order of an export. */
  writers(): Promise<readonly RecordWriter[]>;
  /** Removes all records. Called only for an empty folder or an unfinished import. */
  remove(): Promise<void>;
}

/** A storage to read from. */
export interface Source {
  /** The display name: a folder, or a database's address without the password. */
  readonly name: string;
  readonly storage: 'json' | 'postgres';
  readonly mark: TransferMark | undefined;
  /** Fingerprints of the data's known secrets. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly read: ReadAll;
  /** Marks the data as moved, so that processes no longer use it. */
  markMoved(to: string): Promise<void>;
  close(): Promise<void>;
}

/** A storage that is being filled. No process can use it before `release`. */
export interface Target {
  readonly name: string;
  /** Stores all records of a stream. Resumes an earlier attempt with the same stream. */
  load(stream: RecordStream): Promise<void>;
  /** Removes the records of an earlier attempt. */
  restart(): Promise<void>;
  readonly read: ReadAll;
  /** Makes the storage usable. `secrets` are fingerprints of the data's secrets. */
  release(secrets: Readonly<Record<string, string>>): Promise<void>;
  close(): Promise<void>;
}

/** Thrown if an earlier attempt stored a different stream. Call `restart` in this case. */
export class OtherStream extends Error {}

/** Kinds that have a record in every deployment. */
const always = ['site-settings', 'site-ids', 'message-ids'];

/**
 * Kinds that an empty storage may contain. A discarded import leaves the highest ID, and starting a server stores facts
 * about the deployment.
 */
const allowedInEmpty = ['chat-ids', 'state'];

/** Returns whether every deployment has a record of this kind. */
export function isInEveryDeployment(kind: string): boolean {
  return always.includes(kind);
}

/** Throws `conflict` if a storage is not empty. The message lists the kinds of records in it. */
export async function assertEmpty(name: string, readers: readonly RecordReader[]): Promise<void> {
  const found: string[] = [];
  for (const { kind, read } of readers) {
    if (isInEveryDeployment(kind) || allowedInEmpty.includes(kind)) continue;
    for await (const _ of read()) {
      found.push(kind);
      break;
    }
  }
  if (found.length === 0) return;
  throw new AppError('conflict', `${name} is not empty: it contains ${found.join(', ')}.`, {
    hint: 'Choose an empty storage. Imports never add to existing data.',
  });
}
