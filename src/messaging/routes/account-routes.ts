import { addressKey } from '../../base/addresses.js';
import { AppError } from '../../base/errors.js';
import type { RateLimiter } from '../../base/rate-limit.js';
import { created, ok } from '../../http/answer/reply.js';
import type { QueryParameters } from '../../http/request/query.js';
import type { Route } from '../../http/route/route.js';
import type { User } from '../model.js';
import { changes, defineRoute, type RouteContext, renewals, signIns } from './define-route.js';
import { pageOf, pageQuery } from './paging.js';

/** Rate limit for registrations, per address. */
const registrations = { name: 'registration', amount: 60, periodSeconds: 3600 };

/** Routes for registration, sign-in, tokens, passwords and the user's own profile. */
export function accountRoutes(context: RouteContext): Route[] {
  const { accounts, tokens, passwords, views, rateLimiter } = context;
  const guard = createSignInGuard(rateLimiter);

  /** Returns the response to a sign-in, registration, renewal or password change. */
  const signedIn = ({ user, token }: { readonly user: User; readonly token: string }) => ({
    ok: true,
    token,
    user: views.account(user),
  });

  return [
    defineRoute({
      method: 'POST',
      path: '/api/auth/register',
      name: 'register',
      summary: 'Create an account and sign in',
      limit: { rule: registrations, by: 'address' },
      body: 'Registration',
      responses: { 201: 'SignedIn' },
      errors: ['email_taken'],
      handle: async ({ body }) => created(signedIn(await accounts.register(body))),
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
      handle: async ({ body, address }) =>
        ok(signedIn(await guard(body.email, address, () => accounts.signIn(body)))),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/auth/logout',
      name: 'signOut',
      summary: 'Sign out: revoke the access token',
      auth: 'user',
      responses: { 200: 'Ok' },
      claims: (header) => /^Bearer /i.test(header('authorization')),
      async handle({ principal }) {
        await tokens.revoke(principal.token);
        return ok({ ok: true });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/auth/logout-all',
      name: 'signOutEverywhere',
      summary: 'Sign out everywhere: revoke all access tokens of the user',
      auth: 'user',
      responses: { 200: 'Ok' },
      async handle({ principal }) {
        await accounts.signOutEverywhere(principal.user);
        return ok({ ok: true });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/auth/renew',
      name: 'renewToken',
      summary:
        'Exchange a valid access token for a new one; the old token expires 60 seconds later',
      auth: 'user',
      limit: { rule: renewals, by: 'principal' },
      responses: { 200: 'SignedIn' },
      handle: async ({ principal: { user, token } }) =>
        ok(signedIn(await accounts.renew(user, token))),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/auth/reset',
      name: 'resetPassword',
      summary: 'Set a new password with a reset code from the operator, and sign in',
      description: 'Revokes all other access tokens. The code cannot be used again.',
      limit: { rule: signIns, by: 'address' },
      body: 'PasswordReset',
      responses: { 200: 'SignedIn' },
      errors: ['unauthorized'],
      handle: async ({ body, address }) =>
        ok(signedIn(await guard(body.email, address, () => passwords.reset(body)))),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/auth/me',
      name: 'getProfile',
      summary: 'Get your own profile',
      auth: 'user',
      responses: { 200: 'ProfileAnswer' },
      handle: ({ principal }) => ok({ ok: true, user: views.profile(principal.user) }),
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/users/me',
      name: 'changeProfile',
      summary: 'Change your own profile',
      auth: 'user',
      limit: { rule: changes, by: 'principal' },
      body: 'ProfileChanges',
      responses: { 200: 'ProfileAnswer' },
      async handle({ principal, body }) {
        const user = await accounts.changeProfile(principal.user.id, body);
        return ok({ ok: true, user: views.profile(user) });
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/users/me/password',
      name: 'changePassword',
      summary: 'Change your own password, revoke all access tokens and receive a new one',
      auth: 'user',
      limit: { rule: signIns, by: 'address' },
      body: 'PasswordChange',
      responses: { 200: 'SignedIn' },
      errors: ['forbidden', 'conflict'],
      handle: async ({ principal: { user }, body, address }) =>
        ok(signedIn(await guard(user.email, address, () => passwords.change(user, body)))),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/users/me',
      name: 'endAccount',
      summary: 'Delete your own account permanently',
      description:
        'Erases the name, e-mail address, bio and picture. Messages remain under "Deleted account". Groups and channels are transferred to the member who joined first.',
      auth: 'user',
      limit: { rule: signIns, by: 'address' },
      body: 'AccountEnd',
      responses: { 200: 'Deleted' },
      errors: ['forbidden'],
      async handle({ principal: { user }, body, address }) {
        await guard(user.email, address, () => passwords.endAccount(user, body));
        return ok({ ok: true, deleted: user.id });
      },
    }),
  ];
}

const quarterHour = 15 * 60;

/** Rate limit for failed sign-ins, per account and address. */
const perAccountAndAddress = { name: 'failed-sign-in', amount: 10, periodSeconds: quarterHour };

/** Rate limit for failed sign-ins, per account. */
const perAccount = { name: 'failed-sign-in-account', amount: 100, periodSeconds: quarterHour };

/** Creates a guard that slows down password guessing. */
function createSignInGuard(limiter: RateLimiter) {
  /**
   * Runs an attempt to prove the ownership of an account. The attempt is counted before it runs, so that concurrent
   * attempts are limited as well. The count is undone unless the proof was wrong. Throws `rate_limited` after too many
   * recent failures.
   */
  return async <Result>(
    email: string,
    address: string,
    attempt: () => Promise<Result>,
  ): Promise<Result> => {
    const account = email.toLowerCase();
    const pair = `${account} ${addressKey(address)}`;
    await limiter.take(perAccountAndAddress, pair);
    await limiter.take(perAccount, account);
    let isWrong = false;
    try {
      return await attempt();
    } catch (error) {
      isWrong = isWrongProof(error);
      throw error;
    } finally {
      if (!isWrong) {
        await limiter.giveBack(perAccountAndAddress, pair);
        await limiter.giveBack(perAccount, account);
      }
    }
  };
}

function isWrongProof(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'unauthorized' || error.code === 'forbidden');
}

/** Maximum length of an operator's search, in characters. It equals that of an e-mail address. */
const maxSearchLength = 254;

const peopleQuery = {
  ...pageQuery,
  q: {
    type: 'string',
    description:
      'Return only users whose name contains this text or whose e-mail address equals it.',
    maxLength: maxSearchLength,
  },
} as const satisfies QueryParameters;

/** Routes for the operator, which require the admin token. */
export function peopleRoutes({ people, views, reads }: RouteContext): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/admin/users',
      name: 'listPeople',
      summary: 'List users with e-mail address and profile, ordered by ID',
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
      summary: 'Issue a code with which a user can set a new password within an hour',
      description: 'Earlier codes become invalid.',
      auth: 'operator',
      responses: { 201: 'ResetCode' },
      handle: async ({ id, principal }) =>
        created({ ok: true, ...(await people.issueResetCode(principal, id)) }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/users/:id/sign-out',
      name: 'signOutUser',
      summary: 'Sign a user out everywhere',
      auth: 'operator',
      responses: { 200: 'Ok' },
      async handle({ id, principal }) {
        await people.signOutEverywhere(principal, id);
        return ok({ ok: true });
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/admin/users/:id',
      name: 'endUser',
      summary: "Delete a user's account permanently",
      auth: 'operator',
      responses: { 200: 'Deleted' },
      async handle({ id, principal }) {
        await people.end(principal, id);
        return ok({ ok: true, deleted: id });
      },
    }),
  ];
}
