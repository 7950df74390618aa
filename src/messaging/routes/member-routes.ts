import { ok } from '../../http/answer/reply.js';
import type { Route } from '../../http/route/route.js';
import { changes, defineRoute, type RouteContext } from './define-route.js';
import { pageOf, pageQuery } from './paging.js';

/** Routes for the members of groups and channels. */
export function memberRoutes({ members, views, reads }: RouteContext): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/chats/:id/members',
      name: 'listMembers',
      summary:
        'List the members of a chat, ordered by ID; only the owner of a channel can list its members',
      auth: 'user',
      query: pageQuery,
      responses: { 200: 'MemberList' },
      errors: ['forbidden', 'rate_limited'],
      async handle(request) {
        const { principal, id, query } = request;
        await reads.take(`lists ${principal.key}`, request);
        const page = await members.page(principal.user, id, pageOf(query));
        return ok({ ok: true, members: page.members.map(views.person), hasMore: page.hasMore });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/groups/:id/members',
      name: 'addMember',
      summary: 'Add a member to a group that you own',
      auth: 'user',
      body: 'NewMember',
      responses: { 200: 'GroupAnswer' },
      errors: ['forbidden', 'conflict', 'rate_limited'],
      async handle({ principal, id, body }) {
        const group = await members.add(principal.user, id, body.userId);
        return ok({ ok: true, group: views.chat(group) });
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/groups/:id/members/:userId',
      name: 'removeMember',
      summary: 'Leave a group, or remove a member from a group that you own',
      description:
        'When the owner leaves, the member who joined first becomes the owner. When the last member leaves, the group is deleted. Removing a user who is not a member has no effect.',
      auth: 'user',
      limit: { rule: changes, by: 'principal' },
      responses: { 200: 'GroupAnswer' },
      errors: ['forbidden'],
      async handle({ principal, id, params }) {
        const group = await members.remove(principal.user, id, Number(params.userId));
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
        const channel = await members.subscribe(principal.user, id);
        return ok({ ok: true, channel: views.chat(channel) });
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/channels/:id/subscribe',
      name: 'unsubscribe',
      summary: 'Unsubscribe from a channel that you do not own',
      auth: 'user',
      limit: { rule: changes, by: 'principal' },
      responses: { 200: 'ChannelAnswer' },
      errors: ['conflict'],
      async handle({ principal, id }) {
        const channel = await members.unsubscribe(principal.user, id);
        return ok({ ok: true, channel: views.chat(channel) });
      },
    }),
  ];
}
