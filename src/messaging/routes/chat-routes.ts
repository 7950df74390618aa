import type { Reply } from '../../http/answer/reply.js';
import { created, ok } from '../../http/answer/reply.js';
import { matchesEtag } from '../../http/answer/representation.js';
import type { QueryParameters } from '../../http/request/query.js';
import type { ApiRequest, Route } from '../../http/route/route.js';
import type { Principal } from './define-route.js';
import { changes, defineRoute, type RouteContext, readMarks } from './define-route.js';
import { type BytesReply, bytesReply, maxWait, pageOf, pageQuery } from './paging.js';

/** Routes for chats and the directory of channels. */
export function chatRoutes(context: RouteContext): Route[] {
  const { chats, views, reads } = context;
  return [
    chatListRoute(context),
    defineRoute({
      method: 'POST',
      path: '/api/chats',
      name: 'createChat',
      summary: 'Create a private chat, a group or a channel',
      description: 'If the private chat already exists, it is returned with status 200.',
      auth: 'user',
      body: 'NewChat',
      responses: { 200: 'ChatAnswer', 201: 'ChatAnswer' },
      errors: ['not_found', 'rate_limited'],
      async handle({ principal, body }) {
        const chat = await chats.create(principal.user, body);
        const answer = { ok: true, chat: views.chat(chat) };
        return chat.created ? created(answer) : ok(answer);
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/chats/:id',
      name: 'renameChat',
      summary: 'Rename a group or channel that you own',
      auth: 'user',
      limit: { rule: changes, by: 'principal' },
      body: 'ChatChanges',
      responses: { 200: 'ChatAnswer' },
      errors: ['forbidden'],
      async handle({ principal, id, body }) {
        const chat = await chats.rename(principal.user, id, body.name);
        return ok({ ok: true, chat: views.chat(chat) });
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/chats/:id/read',
      name: 'markRead',
      summary: 'Move your read mark forward to a message',
      auth: 'user',
      limit: { rule: readMarks, by: 'principal' },
      body: 'ReadMark',
      responses: { 200: 'ChatAnswer' },
      errors: ['forbidden'],
      async handle({ principal, id, body }) {
        const chat = await chats.markRead(principal.user, id, body.messageId);
        return ok({ ok: true, chat: views.chat(chat) });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/channels',
      name: 'listChannels',
      summary: 'List all channels, ordered by ID',
      auth: 'user',
      query: pageQuery,
      responses: { 200: 'ChannelList' },
      errors: ['rate_limited'],
      async handle(request) {
        await reads.take(`lists ${request.principal.key}`, request);
        const channels = await chats.listChannels(pageOf(request.query));
        return ok({ ok: true, channels: channels.map(views.channel) });
      },
    }),
  ];
}

const listQuery = {
  wait: {
    type: 'integer',
    description:
      'Maximum time to hold the request until the list changes, in seconds. Has an effect only with If-None-Match.',
    minimum: 0,
    maximum: maxWait,
  },
} as const satisfies QueryParameters;

type Request = Pick<
  ApiRequest<undefined, Principal>,
  'principal' | 'header' | 'signal' | 'whenAnswered'
>;

type Answered = Pick<Request, 'signal' | 'whenAnswered'>;

/** The route for the user's chat list. A request can wait for a change. */
function chatListRoute(context: RouteContext): Route {
  const { tokens, chats, listWaits, views, reads, room } = context;

  /** Returns the response, and the IDs of the chats and people that it depends on. */
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
      confirm: () => tokens.holderOf(token),
      signal: () => request.signal(),
      async read(track) {
        const slots = heldSlots(request);
        try {
          await reads.take(`lists ${key}`, slots.request);
          const reading = await track(() => read(request, slots.request));
          // Drops the response, which would otherwise stay in memory while the request waits.
          if (isKnown(reading.tag)) return { tag: reading.tag, answer: undefined };
          slots.keep();
          return { tag: reading.tag, answer: reading.answer };
        } finally {
          slots.release();
        }
      },
    });
    await tokens.holderOf(token);
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
    summary: 'List your chats, most recently active first',
    description:
      'With `If-None-Match` and `wait`, the request is held until the list changes. Changes are new messages, names, pictures and read marks, and added or removed chats.',
    auth: 'user',
    query: listQuery,
    headers: {
      'If-None-Match': 'ETag of an earlier response. If nothing has changed, the response is 304.',
    },
    responses: { 200: 'ChatList', 304: null },
    errors: ['rate_limited'],
    handle(request) {
      const { wait = 0 } = request.query;
      // A request without an ETag to compare with cannot wait.
      const waits = wait > 0 && request.header('if-none-match') !== '';
      return waits ? untilChanged(request, wait) : answerNow(request);
    },
  });
}

/**
 * Collects the slots that a request acquires for a response that it may not send. `keep` holds them until the response
 * is sent. `release` frees them immediately, so that a waiting request holds none.
 */
function heldSlots(request: Answered) {
  const ends: (() => void)[] = [];
  return {
    /** Pass this to limits that hold a slot until the response is sent. */
    request: {
      signal: () => request.signal(),
      whenAnswered: (end: () => void) => void ends.push(end),
    } satisfies Answered,
    keep(): void {
      for (const end of ends.splice(0)) request.whenAnswered(end);
    },
    release(): void {
      for (const end of ends.splice(0)) end();
    },
  };
}
