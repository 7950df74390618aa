import type { Authenticator } from '../../http/route/endpoint.js';
import type { Sessions } from '../sessions/sessions.js';

/** The session headers of the contract. */
export function cashierAuthenticator(sessions: Sessions): Authenticator {
  return {
    schemes: {
      tokenSN: {
        type: 'apiKey',
        in: 'header',
        name: 'X-Token-SN',
        description: 'Session token from sign-in.',
      },
      vtokenSecret: {
        type: 'apiKey',
        in: 'header',
        name: 'X-Vtoken-Secret',
        description: 'Encrypted session secret from sign-in.',
      },
    },
    async authenticate(header) {
      const cashier = await sessions.authenticate(header('x-token-sn'), header('x-vtoken-secret'));
      return { ...cashier, logged: { cashier: cashier.session.profileId } };
    },
  };
}
