import { created, ok } from '../../http/answer/reply.js';
import type { Route } from '../../http/route/route.js';
import { bytesReply } from './bytes-reply.js';
import { defineRoute, type RouteContext } from './define-route.js';
import { pageOf, pageQuery } from './paging.js';

/** Chats, their members and the directory of channels. */
export function chatRoutes({ chats, views, reads, room }: RouteContext): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/chats',
      name: 'listChats',
      summary: 'List the own chats, the latest activity first',
      auth: 'user',
      responses: { 200: 'ChatList' },
      errors: ['rate_limited'],
      async handle(request) {
        const { principal } = request;
        await reads.take(`lists ${principal.key}`, request);
        const { extent, settle } = room.take(request);
        const listed = await chats.list(principal.user, extent.bytes);
        const reply = bytesReply({ ok: true, chats: listed.map(views.listedChat) });
        settle(reply.content.length);
        return reply;
      },
    }),
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
      method: 'POST',
      path: '/api/groups/:id/members',
      name: 'addMember',
      summary: 'Add a member to an own group',
      auth: 'user',
      body: 'NewMember',
      responses: { 200: 'GroupAnswer' },
      errors: ['forbidden', 'conflict', 'rate_limited'],
      async handle({ principal, id, body }) {
        const group = await chats.addMember(principal.user, id, body.userId);
        return ok({ ok: true, group: views.chat(group) });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/channels/:id/subscribe',
      name: 'subscribe',
      summary: 'Subscribe to a channel',
      auth: 'user',
      responses: { 200: 'ChannelAnswer' },
      errors: ['rate_limited'],
      async handle({ principal, id }) {
        const channel = await chats.subscribe(principal.user, id);
        return ok({ ok: true, channel: views.chat(channel) });
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
