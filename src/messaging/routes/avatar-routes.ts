import { AppError } from '../../base/errors.js';
import type { Route } from '../../http/route/route.js';
import { drawAvatar, readInitials } from '../avatar.js';
import { defineRoute } from './define-route.js';

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
