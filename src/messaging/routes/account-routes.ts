import { addressKey } from '../../base/addresses.js';
import { AppError } from '../../base/errors.js';
import type { RateLimiter, RateLimitRule } from '../../base/rate-limit.js';
import { created, ok } from '../../http/answer/reply.js';
import type { QueryParameters } from '../../http/request/query.js';
import type { Route } from '../../http/route/route.js';
import type { User } from '../model.js';
import { changes, defineRoute, type RouteContext, renewals, signIns } from './define-route.js';
import { pageOf, pageQuery } from './paging.js';

/** Registrations from one address. */
const registrations = { name: 'registration', amount: 60, periodSeconds: 3600 };

/** Registration, sign-in, tokens, passwords and the own profile. */
export function accountRoutes(context: RouteContext): Route[] {
  const { accounts, tokens, passwords, views, rateLimiter } = context;
  const guard = createSignInGuard(rateLimiter);

  /** What everybody gets who signs in, in whichever way. */
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
      summary: 'Make an account and sign in',
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
        ok(signedIn(await guard.watch(body.email, address, () => accounts.signIn(body)))),
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
        await tokens.revoke(principal.token);
        return ok({ ok: true });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/auth/logout-all',
      name: 'signOutEverywhere',
      summary: 'Sign out everywhere: no access token issued so far is good any longer',
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
      summary: 'Get a new access token for one that is still good, which ends 60 seconds later',
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
      summary: 'Set a new password with a code of the operator, and sign in',
      description: 'Every other access token ends. The code is of no use afterwards.',
      limit: { rule: signIns, by: 'address' },
      body: 'PasswordReset',
      responses: { 200: 'SignedIn' },
      errors: ['unauthorized'],
      handle: async ({ body, address }) =>
        ok(signedIn(await guard.watch(body.email, address, () => passwords.reset(body)))),
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
      summary: 'Change the own password, and get a new access token in place of all there were',
      auth: 'user',
      limit: { rule: signIns, by: 'address' },
      body: 'PasswordChange',
      responses: { 200: 'SignedIn' },
      errors: ['forbidden', 'conflict'],
      handle: async ({ principal: { user }, body, address }) =>
        ok(signedIn(await guard.watch(user.email, address, () => passwords.change(user, body)))),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/users/me',
      name: 'endAccount',
      summary: 'End the own account for good',
      description:
        'Name, e-mail, bio and picture go; messages stay under "Deleted account", groups and channels pass on.',
      auth: 'user',
      limit: { rule: signIns, by: 'address' },
      body: 'AccountEnd',
      responses: { 200: 'Deleted' },
      errors: ['forbidden'],
      async handle({ principal: { user }, body, address }) {
        await guard.watch(user.email, address, () => passwords.endAccount(user, body));
        return ok({ ok: true, deleted: user.id });
      },
    }),
  ];
}

const quarterHour = 15 * 60;

/** Failed sign-ins of one account from one address. */
const perAccountAndAddress: RateLimitRule = {
  name: 'failed-sign-in',
  amount: 10,
  periodSeconds: quarterHour,
};

/** Failed sign-ins of one account from all addresses. */
const perAccount: RateLimitRule = {
  name: 'failed-sign-in-account',
  amount: 100,
  periodSeconds: quarterHour,
};

/** Slows down those who guess passwords. */
function createSignInGuard(limiter: RateLimiter) {
  const accountOf = (email: string) => email.toLowerCase();
  const pairOf = (email: string, address: string) => `${accountOf(email)} ${addressKey(address)}`;

  async function giveBack(email: string, address: string): Promise<void> {
    await limiter.giveBack(perAccountAndAddress, pairOf(email, address));
    await limiter.giveBack(perAccount, accountOf(email));
  }

  return {
    /**
     * Makes an attempt that proves whose account it is. It counts before it is made, so that attempts made at once
     * count as well, and is taken off the count again unless the proof was wrong. `rate_limited` where too many
     * have failed lately.
     */
    async watch<Result>(
      email: string,
      address: string,
      attempt: () => Promise<Result>,
    ): Promise<Result> {
      await limiter.take(perAccountAndAddress, pairOf(email, address));
      await limiter.take(perAccount, accountOf(email));
      try {
        const result = await attempt();
        await giveBack(email, address);
        return result;
      } catch (error) {
        if (!isWrongProof(error)) await giveBack(email, address);
        throw error;
      }
    },
  };
}

function isWrongProof(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'unauthorized' || error.code === 'forbidden');
}

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
