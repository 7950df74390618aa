import { bearerToken } from '../../http/route/admin-auth.js';
import type { Authenticator } from '../../http/route/endpoint.js';
import type { Accounts } from '../accounts.js';
import type { User } from '../model.js';
import { type AccessToken, unauthorized } from '../tokens.js';

/** Who asks, with the token that says so. */
export interface Principal {
  /** What limits per user count under. */
  readonly key: number;
  /** What log lines say of who asks. */
  readonly logged: { readonly user: number };
  readonly user: User;
  readonly token: AccessToken;
}

/** Reads the access token of `Authorization: Bearer …`. */
export function userAuthenticator(accounts: Accounts): Authenticator {
  return {
    schemes: { accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    async authenticate(header): Promise<Principal> {
      const text = bearerToken(header('authorization'));
      if (text === undefined) throw unauthorized();
      const { user, token } = await accounts.identify(text);
      return { key: user.id, logged: { user: user.id }, user, token };
    },
  };
}
