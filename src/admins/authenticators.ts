import { addressKey } from '../base/addresses.js';
import { AppError } from '../base/errors.js';
import type { RateLimiter, RateLimitRule } from '../base/rate-limit.js';
import { bearerToken } from '../http/request/headers.js';
import type { Authenticator } from '../http/route/endpoint.js';
import { type Admins, type Role, tokenName } from './admins.js';

/** Wrong admin tokens per address. After that, correct tokens are rejected too, which prevents guessing. */
const wrongTokens: RateLimitRule = { name: 'wrong admin tokens', amount: 10, periodSeconds: 60 };

/** The rights that routes require (`auth`), and the roles that have them. */
const rights = {
  /** Change products, announcements, settings, shop details and pictures; import and export CSV. */
  admin: { roles: ['owner', 'editor'], opensWithoutAdmins: true },
  stock: { roles: ['owner', 'editor', 'orders'], opensWithoutAdmins: true },
  orders: { roles: ['owner', 'orders'], opensWithoutAdmins: true },
  /** Read one's own name and role. */
  anyAdmin: { roles: ['owner', 'editor', 'orders'], opensWithoutAdmins: true },
  /** Manage chat accounts and admin users. */
  operator: { roles: ['owner'], opensWithoutAdmins: false },
} as const satisfies Readonly<Record<string, Right>>;

interface Right {
  readonly roles: readonly Role[];
  /** True if everyone has this right while the admin page is open. */
  readonly opensWithoutAdmins: boolean;
}

/** The sender of a request to the admin page's API. */
export interface AdminPrincipal {
  /** The name in the audit log: `admin` for `MSGSITE_ADMIN_TOKEN` and while the admin page is open. */
  readonly name: string;
  /** Undefined while the admin page is open. */
  readonly role: Role | undefined;
  readonly logged: { readonly admin: string };
}

interface Options {
  readonly admins: Pick<Admins, 'identify'>;
  readonly rateLimiter: RateLimiter;
  /** True if `MSGSITE_ADMIN_TOKEN` is set. Every right then requires a token. */
  readonly hasToken: boolean;
}

/** Returns an authenticator for each right. */
export function adminAuthenticators(options: Options) {
  return {
    admin: authenticatorOf(rights.admin, options),
    stock: authenticatorOf(rights.stock, options),
    orders: authenticatorOf(rights.orders, options),
    anyAdmin: authenticatorOf(rights.anyAdmin, options),
    operator: authenticatorOf(rights.operator, options),
  };
}

function authenticatorOf(
  { roles, opensWithoutAdmins }: Right,
  { admins, rateLimiter, hasToken }: Options,
): Authenticator {
  return {
    schemes: {
      adminToken: {
        type: 'http',
        scheme: 'bearer',
        description: 'The token of an admin user, or MSGSITE_ADMIN_TOKEN.',
      },
    },
    isOptional: opensWithoutAdmins && !hasToken,
    errors: ['rate_limited', 'forbidden'],
    async authenticate(header, address): Promise<AdminPrincipal> {
      const token = bearerToken(header('authorization'));
      const { user, isOpen } = await admins.identify(token);
      if (isOpen) {
        if (opensWithoutAdmins) return principalOf(tokenName, undefined);
        throw unauthorized(
          'Add an admin user with `msgsite admins add`, or set MSGSITE_ADMIN_TOKEN.',
        );
      }
      if (token === undefined) throw unauthorized();
      const key = addressKey(address);
      if (!user) {
        await rateLimiter.take(wrongTokens, key);
        throw unauthorized();
      }
      await rateLimiter.check(wrongTokens, key);
      if (roles.includes(user.role)) return principalOf(user.name, user.role);
      throw new AppError('forbidden', `This request requires the role ${roles.join(' or ')}.`);
    },
  };
}

function principalOf(name: string, role: Role | undefined): AdminPrincipal {
  return { name, role, logged: { admin: name } };
}

function unauthorized(hint?: string): AppError {
  const message = ['This request requires an admin token.', hint].filter(Boolean).join(' ');
  return new AppError('unauthorized', message, {
    headers: { 'WWW-Authenticate': 'Bearer realm="admin"' },
  });
}
