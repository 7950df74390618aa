import type { FileLayer } from '../../base/files/file-layer.js';
import { faultAt, type Place, type Report } from '../../storage/json/check/data-checker.js';
import { bytesOf } from '../../storage/json/lines/lines.js';
import {
  type LogContent,
  type OnLine,
  readLog,
  segmentPath,
} from '../../storage/json/log/log-reader.js';
import { openSegmentedLog } from '../../storage/json/log/segmented-log.js';
import type { StoredMessage } from '../model.js';
import type { IdempotencyKey } from '../store.js';
import { isMessage } from './chat-log.js';

/** A line of the journal: a message, with the client's name for the post where it gave one. */
export interface JournalEntry extends StoredMessage {
  readonly idempotency?: IdempotencyKey;
}

export interface JournalFiles {
  readonly folder: string;
  readonly files: FileLayer;
  /** True where the journal was made before, so that a missing one has been lost. */
  readonly mustExist: boolean;
}

/** What the files of a journal hold. */
export interface JournalContent {
  readonly log: LogContent;
  /** The highest id ever given. */
  readonly lastId: number;
  /** The length that counts of chat logs that a move was begun to, by chat. */
  readonly lengths: ReadonlyMap<number, number>;
  /** True where a header is damaged, so that such lengths may be unknown. */
  readonly lacksLengths: boolean;
}

const name = 'journal';

/** Reads the journal without touching it, calling `onEntry` for every message in it, in order of ids. */
export async function readJournal(
  { mustExist, ...journal }: JournalFiles,
  onEntry: (entry: JournalEntry, place: Place) => void,
  report: Report,
): Promise<JournalContent> {
  let lastId = 0;
  const onLine: OnLine = (value, place, line) => {
    if (!isMessage(value)) {
      const message = 'This line is no stored message.';
      return report(faultAt(place, message), bytesOf(line));
    }
    lastId = Math.max(lastId, value.id);
    onEntry(value, place);
  };
  const log = await readLog({ ...journal, name }, onLine, report);
  if (mustExist && log.last === 0) {
    const file = segmentPath({ ...journal, name }, 1);
    report(faultAt({ file }, 'The file is missing.'));
  }
  const lengths = new Map<number, number>();
  // The lengths in the first header belong to a move that has ended: the segments before it are gone.
  const later = log.segments.slice(1);
  for (const { header } of later) {
    for (const [chatId, length] of Object.entries((header?.lengths ?? {}) as object)) {
      // Of several moves that failed, the first one knows where the messages of all of them begin.
      if (!lengths.has(Number(chatId))) lengths.set(Number(chatId), length as number);
    }
  }
  const lacksLengths = later.some(({ header }) => !header);
  return { log, lastId: Math.max(lastId, log.lastId), lengths, lacksLengths };
}

export type MessageJournal = Awaited<ReturnType<typeof openMessageJournal>>;

/**
 * The write-ahead journal that the messages of all chats go through, so that posts to any number of
 * chats share one write and one fsync. It is a segmented log; the header of a segment tells how long the
 * logs of those chats were on disk whose messages are about to be moved out of the segments before it.
 * Opened behind what was read.
 */
export async function openMessageJournal(
  { folder, files }: Omit<JournalFiles, 'mustExist'>,
  content: Pick<JournalContent, 'log' | 'lastId'>,
) {
  let { lastId } = content;
  const log = await openSegmentedLog({ folder, name, files, lastId: () => lastId }, content.log);
  return {
    get size(): number {
      return log.size;
    },
    /** The highest id given so far. */
    get lastId(): number {
      return lastId;
    },
    /** Gives an id that no message had before. */
    nextId(): number {
      lastId += 1;
      return lastId;
    },
    /** Appends a line; on disk when the promise resolves. Lines are appended in the order of their ids. */
    append: log.append,
    /**
     * Begins a new segment; what the ones before it hold is then complete, and known to whoever is asked
     * for the lengths of the chat logs. Gives the new one's number.
     */
    rotate: (lengths: () => Promise<ReadonlyMap<number, number>>): Promise<number> =>
      log.rotate(async () => ({ lengths: Object.fromEntries(await lengths()) })),
    drop: log.drop,
    close: log.close,
  };
}
