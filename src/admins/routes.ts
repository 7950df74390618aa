import * as validators from '#validators/admins';
import { created, ok } from '../http/answer/reply.js';
import { type RouteGroup, routesOf } from '../http/route/route.js';
import type { Admins } from './admins.js';
import type { AdminPrincipal } from './authenticators.js';

const defineRoute = routesOf<
  typeof validators,
  { operator: AdminPrincipal; anyAdmin: AdminPrincipal }
>();

/** Returns the routes that manage admin users. */
export function adminRoutes(admins: Admins): RouteGroup {
  return {
    name: 'admins',
    description: 'The people who work on the site, and their roles.',
    errorShape: 'site',
    schema: 'admins',
    validators,
    routes: [
      defineRoute({
        method: 'GET',
        path: '/api/admin/me',
        name: 'getAdmin',
        summary: 'Read your own name and role',
        auth: 'anyAdmin',
        responses: { 200: 'Me' },
        handle: ({ principal: { name, role } }) => ok({ ok: true, name, role: role ?? null }),
      }),
      defineRoute({
        method: 'GET',
        path: '/api/admin/admins',
        name: 'listAdmins',
        summary: 'List the admin users in the order they were added',
        auth: 'operator',
        responses: { 200: 'AdminList' },
        handle: async () => ok({ ok: true, admins: await admins.list() }),
      }),
      defineRoute({
        method: 'POST',
        path: '/api/admin/admins',
        name: 'addAdmin',
        summary: 'Add an admin user',
        description: 'The response contains the token. It is returned once and not stored.',
        auth: 'operator',
        body: 'NewAdmin',
        responses: { 201: 'AddedAdmin' },
        errors: ['conflict'],
        async handle({ principal, body }) {
          const { token, ...admin } = await admins.add(principal, body);
          return created({ ok: true, admin, token });
        },
      }),
      defineRoute({
        method: 'DELETE',
        path: '/api/admin/admins/:name',
        name: 'revokeAdmin',
        summary: 'Revoke the token of an admin user',
        auth: 'operator',
        pathExamples: { name: 'Dana' },
        responses: { 200: 'RevokedAdmin' },
        errors: ['not_found', 'conflict'],
        async handle({ principal, params }) {
          const admin = await admins.revoke(principal, params.name ?? '');
          return ok({ ok: true, revoked: admin.name });
        },
      }),
    ],
  };
}
