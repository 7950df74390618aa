import { created, ok } from '../../http/answer/reply.js';
import type { QueryParameters } from '../../http/request/query.js';
import type { Route } from '../../http/route/route.js';
import { defineRoute, type RouteContext } from './define-route.js';
import { pageOf, pageQuery } from './paging.js';

/** Characters of an operator's search: as long as an e-mail address may be. */
const longestSearch = 254;

const peopleQuery = {
  ...pageQuery,
  q: {
    type: 'string',
    description: 'Only those whose name has this part, or who have this e-mail address.',
    maxLength: longestSearch,
  },
} as const satisfies QueryParameters;

/** What the operator does for people: for whoever has the admin token, and nobody where there is none. */
export function peopleRoutes({ people, views, reads }: RouteContext): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/admin/users',
      name: 'listPeople',
      summary: 'List users by id, with e-mail and profile',
      auth: 'operator',
      query: peopleQuery,
      responses: { 200: 'ManagedUserList' },
      errors: ['rate_limited'],
      async handle(request) {
        const { q, ...page } = request.query;
        await reads.take('lists of the operator', request);
        const users = await people.list({ ...pageOf(page), q });
        return ok({ ok: true, users: users.map(views.managedUser) });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/users/:id/reset-code',
      name: 'issueResetCode',
      summary: 'Make a code with which a user sets a new password within an hour',
      description: 'A code that was made before is of no use any more.',
      auth: 'operator',
      responses: { 201: 'ResetCode' },
      handle: async ({ id }) => created({ ok: true, ...(await people.issueResetCode(id)) }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/users/:id/sign-out',
      name: 'signOutUser',
      summary: 'Sign a user out everywhere',
      auth: 'operator',
      responses: { 200: 'Ok' },
      async handle({ id }) {
        await people.signOutEverywhere(id);
        return ok({ ok: true });
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/admin/users/:id',
      name: 'endUser',
      summary: 'End the account of a user for good',
      auth: 'operator',
      responses: { 200: 'Deleted' },
      async handle({ id }) {
        await people.end(id);
        return ok({ ok: true, deleted: id });
      },
    }),
  ];
}
