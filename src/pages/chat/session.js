import pLimit from 'p-limit';
import { ended, isUnauthorized } from '../shared/failure.ts';
import { readAccount, readSignedIn } from './shapes.js';
import { isRenewalDue } from './token.js';
import { parseKept } from './vault.js';

/** @typedef {import('./types.js').Account} Account */
/** @typedef {import('../shared/calls.ts').Call} Call */
/** @typedef {import('../shared/calls.ts').CallOptions} CallOptions */
/**
 * @typedef {object} SignedIn
 * @property {string} token
 * @property {Account} user
 * @property {number | null} receivedAt the server's time when it gave the token, milliseconds
 */
/** @typedef {ReturnType<typeof createSession>} Session */

/** The name of the stored token. After the server ended the session, its value is `{"ended":true}`. */
export const sessionName = 'session';

/**
 * Keeps and renews the token of the signed-in user, for all tabs. Changes are made one at a time, across all tabs if
 * locks are available, so that a 401 is compared with the current token.
 *
 * @param {object} parts
 * @param {Call} parts.call
 * @param {import('./vault.js').Vault} parts.vault
 * @param {import('./types.js').LockSource | undefined} parts.locks
 * @param {import('../shared/pauses.ts').Pauses} parts.pauses
 * @param {() => number | null} parts.serverTime the time of the server's last answer, milliseconds
 * @param {() => void} parts.onChange
 */
export function createSession({ call, vault, locks, pauses, serverTime, onChange }) {
  /** @type {SignedIn | null} */
  let current = null;
  let endedElsewhere = false;
  let isRenewing = false;
  const alone = createQueue(locks, 'msgsite-chat.session');

  /** @param {SignedIn | null} next @param {boolean} isEnded */
  const become = (next, isEnded) => {
    if (sameSession(current, next) && endedElsewhere === isEnded) return;
    current = next;
    endedElsewhere = isEnded;
    onChange();
  };

  /**
   * Reads an answer with a token.
   *
   * @param {any} body
   * @returns {SignedIn}
   */
  const received = (body) => ({ ...readSignedIn(body), receivedAt: serverTime() });

  /** @param {SignedIn} next */
  const keep = (next) => {
    vault.set(sessionName, JSON.stringify(next));
    become(next, false);
  };

  const end = () => {
    vault.set(sessionName, JSON.stringify({ ended: true }));
    become(null, true);
  };

  const forget = () => {
    vault.remove(sessionName);
    become(null, false);
  };

  /** Loads the stored session, which another tab may have changed. */
  const adopt = () => {
    const kept = parseKept(vault.get(sessionName));
    become(readKept(kept), kept?.ended === true);
  };

  /**
   * Returns whether there is another token of this user to try after `used` was rejected.
   *
   * @param {string} used
   * @param {number} userId
   */
  const afterRefusal = (used, userId) =>
    alone(async () => {
      adopt();
      if (current?.token === used) end();
      return current?.user.id === userId;
    });

  /**
   * Returns a call as this user. It fails if another user has signed in since.
   *
   * @param {number} userId
   * @returns {Call}
   */
  const callAs = (userId) => async (method, path, options) => {
    for (let attempt = 1; ; attempt++) {
      if (current?.user.id !== userId) throw ended();
      const { token } = current;
      try {
        return await call(method, path, { ...options, token });
      } catch (error) {
        if (!isUnauthorized(error)) throw error;
        if (!(await afterRefusal(token, userId))) throw ended();
        if (attempt === 3) throw error;
      }
    }
  };

  /**
   * Calls the server to change which tokens are valid. Must run inside `alone`.
   *
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   */
  const changing = async (method, path, body) => {
    adopt();
    if (!current) throw ended();
    const { token } = current;
    try {
      return await call(method, path, { token, ...(body === undefined ? {} : { body }) });
    } catch (error) {
      if (isUnauthorized(error) && current?.token === token) end();
      throw error;
    }
  };

  /** @param {string} path @param {unknown} body */
  const enter = (path, body) =>
    alone(async () => keep(received((await call('POST', path, { body })).body)));

  const isDue = () => current !== null && isRenewalDue(current, serverTime());

  return {
    current: () => current,
    endedElsewhere: () => endedElsewhere,
    callAs,
    /** Loads the stored session, at the start and after another tab changed it. */
    load: adopt,
    /** @param {{ username: string, email: string, password: string }} input */
    signUp: (input) => enter('/api/auth/register', input),
    /** @param {{ email: string, password: string }} input */
    signIn: (input) => enter('/api/auth/login', input),
    /** @param {{ email: string, code: string, newPassword: string }} input */
    reset: (input) => enter('/api/auth/reset', input),
    /** Ends the session here at once, then asks the server to revoke the token. */
    async signOut() {
      const token = current?.token;
      forget();
      if (!token) return;
      const asked = call('POST', '/api/auth/logout', { token }).catch(() => {});
      // A tab that gets a 401 meanwhile waits for its turn, and then finds that the user signed out.
      alone(() => asked).catch(() => {});
      await asked;
    },
    signOutEverywhere: () =>
      alone(async () => {
        await changing('POST', '/api/auth/logout-all');
        forget();
      }),
    /** @param {{ currentPassword: string, newPassword: string }} input */
    changePassword: (input) =>
      alone(async () => {
        const { body } = await changing('PUT', '/api/users/me/password', input);
        keep(received(body));
      }),
    /** @param {{ password: string }} input */
    deleteAccount: (input) =>
      alone(async () => {
        await changing('DELETE', '/api/users/me', input);
        forget();
      }),
    /**
     * Stores the account that the server has sent.
     *
     * @param {any} given
     */
    keepAccount(given) {
      const user = readAccount(given);
      return alone(async () => {
        adopt();
        if (user.id !== current?.user.id) return;
        keep({ ...current, user: { ...current.user, ...user } });
      });
    },
    /**
     * Exchanges the token for a new one after a third of its lifetime, in the server's time. The old one remains
     * valid for a minute, so a lost answer can be requested again.
     *
     * @param {AbortSignal} signal
     */
    async renewIfDue(signal) {
      if (isRenewing || !isDue()) return;
      isRenewing = true;
      try {
        for (let failures = 1; isDue() && !signal.aborted; failures++) {
          try {
            await alone(renew);
            return;
          } catch (error) {
            if (await pauses.wait(pauses.after(error, failures), signal)) failures = 0;
          }
        }
      } finally {
        isRenewing = false;
      }
    },
  };

  async function renew() {
    adopt();
    // Another tab may have renewed it in the meantime.
    if (!current || !isDue()) return;
    const before = current;
    const next = received((await changing('POST', '/api/auth/renew')).body);
    adopt();
    // Do not sign in again a user who has signed out meanwhile.
    if (current?.token !== before.token) return;
    keep({ ...next, user: { ...before.user, ...next.user } });
  }
}

/** @param {any} kept @returns {SignedIn | null} */
function readKept(kept) {
  try {
    if (kept === undefined || kept.ended) return null;
    const { receivedAt } = kept;
    return { ...readSignedIn(kept), receivedAt: Number.isFinite(receivedAt) ? receivedAt : null };
  } catch {
    // Another version stored it: the user must sign in again.
    return null;
  }
}

/** @param {SignedIn | null} a @param {SignedIn | null} b */
function sameSession(a, b) {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/**
 * Runs one task at a time, across all tabs if locks are available.
 *
 * @param {import('./types.js').LockSource | undefined} locks
 * @param {string} name
 */
function createQueue(locks, name) {
  const inTurn = pLimit(1);
  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  return (work) => (locks ? locks.request(name, {}, work) : inTurn(work));
}
