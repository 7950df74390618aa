import { LRUCache } from 'lru-cache';
import type { ReadablePage } from '../messages.js';
import type { Views } from '../views.js';
import { type BytesReply, bytesReply } from './bytes-reply.js';

/** Bytes of answers with pages of messages that are cached. */
const cachedAnswers = 16 * 1024 * 1024;

/** Answers with pages of messages. A page that is read again, such as the latest of a chat, is not written again. */
export function createPageAnswers(views: Pick<Views, 'message'>) {
  const answers = new LRUCache<string, BytesReply>({
    maxSize: cachedAnswers,
    sizeCalculation: ({ content }, key) => content.length + key.length,
  });

  return function answerOf(page: ReadablePage, readerId: number): BytesReply {
    const key = keyOf(page, readerId);
    const known = answers.get(key);
    if (known) return known;
    const messages = page.messages.map((message) => views.message(message, readerId));
    const answer = bytesReply({ ok: true, messages, hasMore: page.hasMore });
    answers.set(key, answer);
    return answer;
  };
}

/** Everything that an answer depends on: an iv is random, so it stands for the message that was encrypted with it. */
function keyOf({ messages, hasMore }: ReadablePage, readerId: number): string {
  const senders = [...new Set(messages.map(({ sender }) => sender))];
  const isAuthor = senders.some((sender) => sender?.id === readerId);
  const names = senders.map((sender) => sender && [sender.id, sender.username, sender.avatar]);
  const ivs = messages.map(({ message }) => `${message.id} ${message.encrypted.iv}`);
  return JSON.stringify([hasMore, isAuthor && readerId, names, ivs]);
}
