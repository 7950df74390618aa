import { created, ok } from '../../http/answer/reply.js';
import type { Route } from '../../http/route/route.js';
import { chatListRoute } from './chat-list-route.js';
import { defineRoute, type RouteContext } from './define-route.js';
import { pageOf, pageQuery } from './paging.js';
import { changes, readMarks } from './route-limits.js';

/** Chats and the directory of channels. */
export function chatRoutes(context: RouteContext): Route[] {
  const { chats, views, reads } = context;
  return [
    chatListRoute(context),
    defineRoute({
      method: 'POST',
      path: '/api/chats',
      name: 'createChat',
      summary: 'Begin a private chat, a group or a channel',
      description: 'A private chat that exists already is given with status 200.',
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
      summary: 'Give an own group or channel another name',
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
      summary: 'Move the own read mark forward to a message, never back',
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
      summary: 'List all channels by id',
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
