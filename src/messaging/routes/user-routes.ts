import { AppError } from '../../base/errors.js';
import { ok } from '../../http/answer/reply.js';
import type { QueryParameters } from '../../http/request/query.js';
import type { Route } from '../../http/route/route.js';
import { drawAvatar, readInitials } from '../avatar.js';
import { defineRoute, type RouteContext, searches } from './define-route.js';
import { pageOf, pageQuery } from './paging.js';

/** Maximum length of a user's search, in characters. It equals that of a name. */
const maxSearchLength = 64;

/** Maximum number of user IDs in one request. */
const maxIds = 100;

const userQuery = {
  ...pageQuery,
  q: {
    type: 'string',
    description: 'Return only users whose name contains this text. Case and accents do not matter.',
    maxLength: maxSearchLength,
  },
  ids: {
    type: 'string',
    description: `Return only users with these IDs: up to ${maxIds}, separated by commas.`,
    example: '1,2,3',
  },
} as const satisfies QueryParameters;

/** Routes for the profiles of other users. */
export function userRoutes({ directory, views, reads, rateLimiter }: RouteContext): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/users',
      name: 'listUsers',
      summary: 'List users, ordered by ID',
      auth: 'user',
      query: userQuery,
      responses: { 200: 'UserList' },
      errors: ['rate_limited'],
      async handle(request) {
        const { q, ids, ...page } = request.query;
        const listed = ids === undefined ? undefined : readIds(ids);
        if (q !== undefined && listed) throw badQuery('/q', 'cannot be combined with ids');
        const { key } = request.principal;
        if (q !== undefined) await rateLimiter.take(searches, String(key));
        await reads.take(`lists ${key}`, request);
        const users = await directory.list({ ...pageOf(page), q, ids: listed });
        return ok({ ok: true, users: users.map(views.person) });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/users/:id',
      name: 'getUser',
      summary: 'Get the profile of a user',
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
  if (ids.length > maxIds) throw badQuery('/ids', `must have at most ${maxIds} IDs`);
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

/** The route for default avatars. It does not require a token, because browsers do not send one for images. */
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
          throw new AppError('not_found', 'Avatar not found.');
        }
        return {
          status: 200,
          content: drawAvatar(kind, id, initials),
          headers: {
            'Content-Type': 'image/svg+xml; charset=utf-8',
            // The URL contains everything that the image shows, so the image never changes.
            'Cache-Control': 'public, max-age=31536000, immutable',
          },
        };
      },
    }),
  ];
}
