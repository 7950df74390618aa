import { LRUCache } from 'lru-cache';
import { AppError } from '../../base/errors.js';
import type { RateLimitRule } from '../../base/rate-limit.js';
import { created } from '../../http/answer/reply.js';
import type { QueryParameters, ValuesOf } from '../../http/request/query.js';
import type { ApiRequest, Route } from '../../http/route/route.js';
import type { ReadablePage } from '../messages.js';
import type { MessageQuery } from '../store.js';
import type { Views } from '../views.js';
import type { Principal } from './define-route.js';
import { defineRoute, type RouteContext } from './define-route.js';
import type { BytesReply } from './paging.js';
import { bytesReply, highestId, maxPageSize, maxWait } from './paging.js';

/** Rate limit for posting messages, per user. */
const posts: RateLimitRule = { name: 'message', amount: 1200, periodSeconds: 60, burst: 300 };

/**
 * Rate limit for posts with an `Idempotency-Key`, per user. Each key is stored for a day; with file storage, in memory.
 */
const keyedPosts: RateLimitRule = { name: 'message-key', amount: 50_000, periodSeconds: 86_400 };

const messageQuery = {
  limit: {
    type: 'integer',
    description: `Maximum number of messages to return (default: ${maxPageSize}).`,
    minimum: 1,
    maximum: maxPageSize,
  },
  before: {
    type: 'integer',
    description: 'Return the latest messages with lower IDs than this.',
    minimum: 0,
    maximum: highestId,
  },
  after: {
    type: 'integer',
    description: 'Return the first messages with higher IDs than this.',
    minimum: 0,
    maximum: highestId,
  },
  wait: {
    type: 'integer',
    description:
      'Maximum time to hold the request until a new message arrives, in seconds. Requires `after`.',
    minimum: 0,
    maximum: maxWait,
  },
} as const satisfies QueryParameters;

type MessageQueryValues = ValuesOf<typeof messageQuery>;

/** Routes for reading and posting messages. */
export function messageRoutes(context: RouteContext): Route[] {
  const { tokens, messages, reads, room, rateLimiter, views } = context;
  const answerOf = createPageAnswers(views);

  /** Returns whether there are messages to read. Waits for one if the request has `wait`. */
  function hasMessages(
    request: ApiRequest<undefined, Principal, MessageQueryValues>,
    after: number | undefined,
    wait: number,
  ): Promise<boolean> | boolean {
    if (after === undefined) return true;
    const { user } = request.principal;
    // The signal is created only for a request that waits.
    if (wait === 0) return messages.hasNew(user, request.id, after);
    return messages.untilNew(user, request.id, { after, wait, signal: request.signal() });
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/api/chats/:id/messages',
      name: 'listMessages',
      summary: 'Get messages of a chat, oldest first',
      description:
        'Returns the latest messages, or those before or after an ID, with up to 1 MiB of text. `hasMore` is true if there are more messages in that direction.',
      auth: 'user',
      query: messageQuery,
      headers: {
        'If-None-Match':
          'ETag of an earlier response. If nothing has changed, the response is 304.',
      },
      responses: { 200: 'MessageList', 304: null },
      errors: ['forbidden', 'rate_limited'],
      async handle(request) {
        const { user, token } = request.principal;
        const query = readOf(request.query);
        const wait = request.query.wait ?? 0;
        const isThere = await hasMessages(request, query.after, wait);
        if (wait > 0) await tokens.holderOf(token);
        // Most polls end here. A response without messages does not require a slot.
        if (!isThere) return nothingNew;
        await reads.take(`messages ${user.id}`, request);
        const { extent, settle } = room.take(request);
        const limit = Math.min(query.limit, extent.limit);
        const page = await messages.read(user, request.id, { ...query, ...extent, limit });
        if (page.messages.length === 0 && !page.hasMore) return nothingNew;
        const answer = answerOf(page, user.id);
        settle(answer.content.length);
        return answer;
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/chats/:id/messages',
      name: 'postMessage',
      summary: 'Post a message',
      auth: 'user',
      limit: { rule: posts, by: 'principal' },
      body: 'NewMessage',
      headers: {
        'Idempotency-Key':
          'A unique key of your choice. Repeating the post with the same key within 24 hours stores nothing and returns the first response.',
      },
      responses: { 201: 'MessageAnswer' },
      errors: ['forbidden', 'conflict'],
      async handle(request) {
        const { user } = request.principal;
        const key = request.header('idempotency-key') || undefined;
        if (key !== undefined) await rateLimiter.take(keyedPosts, String(user.id));
        const message = await messages.post(user, request.id, request.body, key);
        return created({ ok: true, message: views.message(message, user.id) });
      },
    }),
  ];
}

function readOf({ limit = maxPageSize, before, after, wait }: MessageQueryValues): MessageQuery {
  if (before !== undefined && after !== undefined) {
    throw badQuery('/before', 'cannot be combined with after');
  }
  if (wait !== undefined && after === undefined) throw badQuery('/wait', 'requires after');
  return { limit, before, after };
}

function badQuery(path: string, message: string): AppError {
  return new AppError('validation_failed', 'The query has values that are not allowed.', {
    details: [{ path, message }],
  });
}

/** The response to most polls. */
const nothingNew = bytesReply({ ok: true, messages: [], hasMore: false });

/** Maximum size of cached responses with pages of messages, in bytes. */
const cachedAnswers = 16 * 1024 * 1024;

/**
 * Creates responses with pages of messages. Caches them, because pages such as the latest of a chat are read
 * repeatedly.
 */
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

/**
 * Returns a key from everything that a response depends on. An IV is random, so it identifies the encrypted message.
 */
function keyOf({ messages, hasMore }: ReadablePage, readerId: number): string {
  const senders = [...new Set(messages.map(({ sender }) => sender))];
  const isAuthor = senders.some((sender) => sender?.id === readerId);
  const names = senders.map((sender) => sender && [sender.id, sender.username, sender.avatar]);
  const ivs = messages.map(({ message }) => `${message.id} ${message.encrypted.iv}`);
  return JSON.stringify([hasMore, isAuthor && readerId, names, ivs]);
}
