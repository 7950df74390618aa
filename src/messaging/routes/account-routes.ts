import { created, ok } from '../../http/answer/reply.js';
import type { Route } from '../../http/route/route.js';
import { defineRoute, type RouteContext } from './define-route.js';
import { pageOf, pageQuery } from './paging.js';
import { createSignInGuard } from './sign-in-guard.js';

const registrations = { name: 'registration', amount: 60, periodSeconds: 3600 };
const signIns = { name: 'sign-in', amount: 60, periodSeconds: 60 };

/** Registration, sign-in and profiles. */
export function accountRoutes({ accounts, views, rateLimiter, reads }: RouteContext): Route[] {
  const guard = createSignInGuard(rateLimiter);
  return [
    defineRoute({
      method: 'POST',
      path: '/api/auth/register',
      name: 'register',
      summary: 'Make an account and sign in',
      limit: { rule: registrations, by: 'address' },
      body: 'Registration',
      responses: { 201: 'SignedIn' },
      errors: ['email_taken'],
      async handle({ body }) {
        const { user, token } = await accounts.register(body);
        return created({ ok: true, token, user: views.account(user) });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/auth/login',
      name: 'signIn',
      summary: 'Sign in',
      limit: { rule: signIns, by: 'address' },
      body: 'Credentials',
      responses: { 200: 'SignedIn' },
      errors: ['unauthorized'],
      async handle({ body, address }) {
        await guard.begin(body.email, address);
        const { user, token } = await accounts.signIn(body);
        await guard.succeed(body.email, address);
        return ok({ ok: true, token, user: views.account(user) });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/auth/logout',
      name: 'signOut',
      summary: 'Sign out: the access token is no longer good',
      auth: 'user',
      responses: { 200: 'Ok' },
      claims: (header) => /^Bearer /i.test(header('authorization')),
      async handle({ principal }) {
        await accounts.signOut(principal.token);
        return ok({ ok: true });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/auth/me',
      name: 'getProfile',
      summary: 'Read the own profile',
      auth: 'user',
      responses: { 200: 'ProfileAnswer' },
      handle: ({ principal }) => ok({ ok: true, user: views.profile(principal.user) }),
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/users/me',
      name: 'changeProfile',
      summary: 'Change the own profile',
      auth: 'user',
      body: 'ProfileChanges',
      responses: { 200: 'ProfileAnswer' },
      async handle({ principal, body }) {
        const user = await accounts.changeProfile(principal.user.id, body);
        return ok({ ok: true, user: views.profile(user) });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/users',
      name: 'listUsers',
      summary: 'List users by id',
      auth: 'user',
      query: pageQuery,
      responses: { 200: 'UserList' },
      errors: ['rate_limited'],
      async handle(request) {
        await reads.take(`lists ${request.principal.key}`, request);
        const users = await accounts.list(pageOf(request.query));
        return ok({ ok: true, users: users.map(views.person) });
      },
    }),
  ];
}
