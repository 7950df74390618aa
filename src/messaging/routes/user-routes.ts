import { AppError } from '../../base/errors.js';
import { ok } from '../../http/answer/reply.js';
import type { QueryParameters } from '../../http/request/query.js';
import type { Route } from '../../http/route/route.js';
import { drawAvatar, readInitials } from '../avatar.js';
import { defineRoute, type RouteContext, searches } from './define-route.js';
import { pageOf, pageQuery } from './paging.js';

/** Characters of a user's search; no name is longer. */
const longestSearch = 64;

/** The most users that one request names. */
const mostIds = 100;

const userQuery = {
  ...pageQuery,
  q: {
    type: 'string',
    description: 'Only those whose name has this part; case and accents do not matter.',
    maxLength: longestSearch,
  },
  ids: {
    type: 'string',
    description: `Only those with these ids: up to ${mostIds}, separated by commas.`,
    example: '1,2,3',
  },
} as const satisfies QueryParameters;

/** What users see of one another. */
export function userRoutes({ directory, views, reads, rateLimiter }: RouteContext): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/users',
      name: 'listUsers',
      summary: 'List users by id',
      auth: 'user',
      query: userQuery,
      responses: { 200: 'UserList' },
      errors: ['rate_limited'],
      async handle(request) {
        const { q, ids, ...page } = request.query;
        const wanted = ids === undefined ? undefined : readIds(ids);
        if (q !== undefined && wanted) throw badQuery('/q', 'cannot be combined with ids');
        const { key } = request.principal;
        if (q !== undefined) await rateLimiter.take(searches, String(key));
        await reads.take(`lists ${key}`, request);
        const users = await directory.list({ ...pageOf(page), q, ids: wanted });
        return ok({ ok: true, users: users.map(views.person) });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/users/:id',
      name: 'getUser',
      summary: 'Read the profile of a user',
      auth: 'user',
      responses: { 200: 'PublicProfileAnswer' },
      async handle({ id }) {
        return ok({ ok: true, user: views.publicProfile(await directory.find(id)) });
      },
    }),
  ];
}

function readIds(text: string): readonly number[] {
  const ids = text.split(',');
  if (ids.length > mostIds) throw badQuery('/ids', `must have at most ${mostIds} ids`);
  if (!ids.every((id) => /^\d{1,15}$/.test(id))) {
    throw badQuery('/ids', 'must be whole numbers, separated by commas');
  }
  return ids.map(Number);
}

function badQuery(path: string, message: string): AppError {
  return new AppError('validation_failed', 'The query has values that are not allowed.', {
    details: [{ path, message }],
  });
}

/** Default avatars; open to everyone, because browsers send no token for a picture. */
export function avatarRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/avatars/:kind/:id/:file',
      name: 'drawAvatar',
      summary: 'Draw the default avatar of a user or a chat (SVG)',
      responses: { 200: null },
      handle({ params, id }) {
        const { kind, file = '' } = params;
        const initials = readInitials(file);
        if ((kind !== 'user' && kind !== 'chat') || initials === undefined) {
          throw new AppError('not_found', 'There is no such avatar.');
        }
        return {
          status: 200,
          content: drawAvatar(kind, id, initials),
          headers: {
            'Content-Type': 'image/svg+xml; charset=utf-8',
            // The address says all that is drawn, so what it shows never changes.
            'Cache-Control': 'public, max-age=31536000, immutable',
          },
        };
      },
    }),
  ];
}
