import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ReadableMessage, ReadablePage } from '../messages.js';
import type { StoredMessage, User } from '../model.js';
import type { Views } from '../views.js';
import { createReadyPages, type TaggedParts } from './ready-pages.js';

/** Bytes of message texts that are kept ready for the next reader. */
const cachedPieces = 32 * 1024 * 1024;

/** Bytes that keeping a piece takes beside its text, as measured roughly. */
const pieceWeight = 300;

/** A message as some of its readers get it. */
interface Piece {
  /** Random for each message: whether a piece is of what is stored under its id. */
  readonly iv: string;
  readonly sender: Sender;
  /** Its JSON, each byte of the UTF-8 a character: half the memory of other text, and joined without a look at it. */
  readonly text: string;
  /** A digest of the text, in two numbers of 32 bits. */
  readonly first: number;
  readonly second: number;
}

/** A sender by what is shown of one. The same object as long as that is the same. */
type Sender = ReturnType<Views['sender']>;

export interface MessagePiecesOptions {
  readonly views: Pick<Views, 'messageJson' | 'sender'>;
  /** The clear text of a message; undefined where it cannot be decrypted. */
  textOf(message: StoredMessage, sender: User | undefined): string | undefined;
}

export type MessagePieces = ReturnType<typeof createMessagePieces>;

/**
 * Puts answers together from the texts of their messages, each of which is made once for its sender and once for all
 * others, and again when the sender's name or picture has changed.
 */
export function createMessagePieces({ views, textOf }: MessagePiecesOptions) {
  // Under the id what others see, and what the sender sees under the negative one.
  const pieces = new LRUCache<number, Piece>({
    maxSize: cachedPieces,
    sizeCalculation: ({ text }) => pieceWeight + text.length,
  });
  const ready = createReadyPages();

  function keep(message: StoredMessage, shown: Sender, isOwn: boolean, json: string): Piece {
    const text = Buffer.from(json).toString('latin1');
    const digest = hash('sha1', text, 'buffer');
    const [first, second] = [digest.readInt32LE(0), digest.readInt32LE(4)];
    const piece = { iv: message.encrypted.iv, sender: shown, text, first, second };
    pieces.set(isOwn ? -message.id : message.id, piece);
    return piece;
  }

  function pieceOf(
    message: StoredMessage,
    sender: User | undefined,
    shown: Sender,
    readerId: number,
  ): Piece {
    const isOwn = message.senderId === readerId;
    const known = pieces.get(isOwn ? -message.id : message.id);
    if (known?.sender === shown && known.iv === message.encrypted.iv) return known;
    const text = textOf(message, sender);
    return keep(message, shown, isOwn, views.messageJson({ message, sender, text }, readerId));
  }

  function putTogether(
    { messages, senders, hasMore }: ReadablePage,
    readerId: number,
    shown: ReadonlyMap<number, Sender>,
  ): TaggedParts {
    const texts: string[] = [];
    const end = `],"hasMore":${hasMore}}`;
    let bytes = begin.length + end.length + Math.max(0, messages.length - 1);
    let first = hasMore ? 1 : 0;
    let second = messages.length;
    for (const message of messages) {
      const { senderId } = message;
      const sender = senders.get(senderId);
      const known = shown.get(senderId) ?? views.sender(sender, senderId);
      const piece = pieceOf(message, sender, known, readerId);
      texts.push(piece.text);
      bytes += piece.text.length;
      first = mixed(first, piece.first);
      second = mixed(second, piece.second);
    }
    let whole: Buffer | undefined;
    const join = () => {
      whole ??= Buffer.from(begin + texts.join(',') + end, 'latin1');
      return whole;
    };
    return {
      parts: { bytes, join },
      etag: `"${textIn36(messages.at(-1)?.id ?? 0)}-${textIn36(first >>> 0)}-${textIn36(second >>> 0)}"`,
    };
  }

  return {
    /** The answer with a page for one of its readers. */
    page(page: ReadablePage, readerId: number): TaggedParts {
      const shown = new Map<number, Sender>();
      for (const [id, sender] of page.senders) shown.set(id, views.sender(sender, id));
      const owner = { page, readerId, senders: [...shown.values()] };
      const known = ready.find(owner);
      if (known) return known;
      const answer = putTogether(page, readerId, shown);
      ready.keep(owner, answer);
      return answer;
    },
    /** The answer to the sender of a message. */
    posted: (message: ReadableMessage, readerId: number): string =>
      `{"ok":true,"message":${views.messageJson(message, readerId)}}`,
  };
}

const begin = '{"ok":true,"messages":[';

/** One number for two, their order included; with one of them kept, no two of the other give the same. */
function mixed(sum: number, next: number): number {
  const product = Math.imul(sum ^ next, 0x9e3779b1);
  return product ^ (product >>> 15);
}

function textIn36(number: number): string {
  return number.toString(36);
}
