import { join } from 'node:path';
import { removeFile } from '../../base/files/durable-write.js';
import type { FileLayer } from '../../base/files/file-layer.js';
import { damaged } from '../../base/files/storage-errors.js';
import { type AppendLog, openAppendLog } from '../../storage/json/append-log.js';
import { listFolder } from '../../storage/json/collection-files.js';
import type { StoredMessage } from '../model.js';
import type { IdempotencyKey } from '../store.js';
import { isMessage } from './chat-log-search.js';

/** A line of the journal: a message, with the client's name for the post where it gave one. */
export interface JournalEntry extends StoredMessage {
  readonly idempotency?: IdempotencyKey;
}

/**
 * The write-ahead journal that the messages of all chats go through, so that posts to any number of
 * chats share one write and one fsync. It is a row of segments `journal.<n>.jsonl`; the first line of
 * each keeps the highest id given so far, which outlives the segments before it.
 */
export interface MessageJournal {
  /** Bytes in all segments. */
  readonly size: number;
  /** Gives the next id to `lineOf` and appends what it makes; gives `lineOf`'s result once on disk. */
  append<Result extends { readonly line: string }>(lineOf: (id: number) => Result): Promise<Result>;
  /** Begins a new segment; what the ones before it hold is then complete. Gives the new one's number. */
  rotate(): Promise<number>;
  /** Removes the segments before this one; their messages must be safe elsewhere. */
  drop(before: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens the journal, calling `onEntry` for every message in it, in order of ids. */
export async function openMessageJournal(
  folder: string,
  files: FileLayer,
  onEntry: (entry: JournalEntry) => void,
): Promise<MessageJournal> {
  let lastId = 0;
  const pathOf = (number: number) => join(folder, `journal.${number}.jsonl`);

  async function openSegment(number: number): Promise<AppendLog> {
    const path = pathOf(number);
    let line = 0;
    /** The highest id that the segment itself tells of. */
    let told = -1;
    const onValue = (value: unknown) => {
      line += 1;
      if (isMessage(value)) {
        told = Math.max(told, value.id);
        onEntry(value);
      } else if (isHeader(value)) {
        told = Math.max(told, value.lastId);
      } else {
        throw damaged(path, `line ${line}`, 'this is not a stored message');
      }
    };
    const segment = await openAppendLog({ path, files, onValue });
    // A new segment, or one that a crash or a failing disk left with no header or an older one: the
    // segments before it are still there then, and the id must outlive them.
    const isBehind = told < lastId;
    lastId = Math.max(lastId, told);
    try {
      if (isBehind) await segment.append(JSON.stringify({ lastId }));
      return segment;
    } catch (error) {
      await segment.close().catch(() => {});
      throw error;
    }
  }

  const numbers = await segmentNumbers(files, folder);
  let first = numbers[0] ?? 1;
  let number = first;
  let finishedBytes = 0;
  const gap = numbers.findIndex((each, index) => each !== first + index);
  if (gap >= 0) throw damaged(pathOf(first + gap), 'line 1', 'the file is missing');
  let segment = await openSegment(number);
  for (const next of numbers.slice(1)) {
    finishedBytes += segment.size;
    await segment.close();
    number = next;
    segment = await openSegment(number);
  }
  let switching: Promise<void> | undefined;

  async function nextSegment(): Promise<void> {
    const before = segment;
    // The new segment's header must know every id of the old one, so the old one ends first.
    await before.drain();
    segment = await openSegment(number + 1);
    number += 1;
    finishedBytes += before.size;
    await before.close();
  }

  return {
    get size() {
      return finishedBytes + segment.size;
    },
    async append(lineOf) {
      // A switch that failed leaves the old segment in use.
      while (switching) await switching.catch(() => {});
      lastId += 1;
      const result = lineOf(lastId);
      await segment.append(result.line);
      return result;
    },
    async rotate() {
      switching = nextSegment().finally(() => {
        switching = undefined;
      });
      await switching;
      return number;
    },
    async drop(before) {
      for (; first < before; first += 1) await removeFile(files, pathOf(first));
      finishedBytes = 0;
    },
    async close() {
      await switching?.catch(() => {});
      await segment.close();
    },
  };
}

/** Whether a line is a segment's first one, which keeps the highest id. */
export function isHeader(value: unknown): value is { readonly lastId: number } {
  return Number.isSafeInteger((value as { lastId?: unknown } | null)?.lastId);
}

/** Numbers of the segments in a folder, rising. */
export async function segmentNumbers(files: FileLayer, folder: string): Promise<number[]> {
  const numbers = (await listFolder(files, folder)).flatMap((name) => {
    const found = /^journal\.(\d+)\.jsonl$/.exec(name)?.[1];
    return found === undefined ? [] : [Number(found)];
  });
  return numbers.sort((a, b) => a - b);
}
