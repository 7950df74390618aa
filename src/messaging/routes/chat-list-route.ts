import type { Reply } from '../../http/answer/reply.js';
import { matchesEtag } from '../../http/answer/representation.js';
import type { QueryParameters } from '../../http/request/query.js';
import type { ApiRequest, Route } from '../../http/route/route.js';
import { type BytesReply, bytesReply } from './bytes-reply.js';
import { defineRoute, type RouteContext } from './define-route.js';
import { heldSlots } from './held-slots.js';
import { longestWait } from './paging.js';
import type { Principal } from './principal.js';

const listQuery = {
  wait: {
    type: 'integer',
    description:
      'With If-None-Match: seconds to hold the request until anything in the list changes.',
    minimum: 0,
    maximum: longestWait,
  },
} as const satisfies QueryParameters;

type Request = Pick<
  ApiRequest<undefined, Principal>,
  'principal' | 'header' | 'signal' | 'whenAnswered'
>;

type Answered = Pick<Request, 'signal' | 'whenAnswered'>;

/** The list of the own chats, which one request follows. */
export function chatListRoute(context: RouteContext): Route {
  const { accounts, chats, listWaits, views, reads, room } = context;

  /** The answer, and what it depends on. */
  async function read({ principal }: Request, slots: Answered) {
    const { extent, settle } = room.take(slots);
    const list = await chats.list(principal.user, extent.bytes);
    const answer = bytesReply({ ok: true, chats: list.chats.map(views.listedChat) });
    settle(answer.content.length);
    return {
      tag: answer.etag,
      answer,
      chats: list.chats.map(({ chat }) => chat.id),
      people: list.people,
    };
  }

  async function untilChanged(request: Request, wait: number): Promise<Reply> {
    const known = request.header('if-none-match');
    const isKnown = (tag: string) => matchesEtag(known, tag);
    const { user, token, key } = request.principal;
    const { tag, answer } = await listWaits.untilChanged<BytesReply>(user.id, {
      wait,
      isKnown,
      confirm: () => accounts.confirm(token),
      signal: () => request.signal(),
      async read(track) {
        const slots = heldSlots(request);
        try {
          await reads.take(`lists ${key}`, slots.request);
          const reading = await track(() => read(request, slots.request));
          // Not given on as it is: what is not needed would be kept for as long as the request waits.
          if (isKnown(reading.tag)) return { tag: reading.tag, answer: undefined };
          slots.keep();
          return { tag: reading.tag, answer: reading.answer };
        } finally {
          slots.release();
        }
      },
    });
    await accounts.confirm(token);
    return answer ?? { status: 304, etag: tag };
  }

  async function answerNow(request: Request): Promise<Reply> {
    await reads.take(`lists ${request.principal.key}`, request);
    return (await read(request, request)).answer;
  }

  return defineRoute({
    method: 'GET',
    path: '/api/chats',
    name: 'listChats',
    summary: 'List the own chats, the latest activity first',
    description:
      'With `If-None-Match` and `wait` the request is held until anything in the list changes: a message, a name or picture, a read mark, a chat that comes or goes.',
    auth: 'user',
    query: listQuery,
    headers: { 'If-None-Match': 'ETag of an earlier answer: 304 where nothing has changed.' },
    responses: { 200: 'ChatList', 304: null },
    errors: ['rate_limited'],
    handle(request) {
      const { wait = 0 } = request.query;
      // Without a list to compare with there is nothing to wait for.
      const waits = wait > 0 && request.header('if-none-match') !== '';
      return waits ? untilChanged(request, wait) : answerNow(request);
    },
  });
}
