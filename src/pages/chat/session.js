import pLimit from 'p-limit';
import { ended, isUnauthorized } from '../shared/failure.ts';
import { readAccount, readSignedIn } from './shapes.js';
import { needsRenewal } from './token.js';
import { parseKept } from './vault.js';

/** @typedef {import('./types.js').Account} Account */
/** @typedef {import('../shared/calls.ts').Call} Call */
/** @typedef {import('../shared/calls.ts').CallOptions} CallOptions */
/**
 * @typedef {object} SignedIn
 * @property {string} token
 * @property {Account} user
 * @property {number | null} receivedAt the server's time when it issued the token, in milliseconds
 */
/** @typedef {ReturnType<typeof createSession>} Session */

/** The name of the stored session. After the server has ended the session, the value is `{"ended":true}`. */
export const sessionName = 'session';

/**
 * Stores and renews the token of the signed-in user for all tabs. Changes are made one at a time, across all tabs if
 * locks are available, so that a rejected token is compared with the current one.
 *
 * @param {object} parts
 * @param {Call} parts.call
 * @param {import('./vault.js').Vault} parts.vault
 * @param {import('./types.js').LockSource | undefined} parts.locks
 * @param {import('../shared/pauses.ts').Pauses} parts.pauses
 * @param {() => number | null} parts.serverTime the time of the server's last response, in milliseconds
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
   * Reads a response with a token.
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
   * Returns whether the user has a different token to retry with after `used` was rejected.
   *
   * @param {string} used
   * @param {number} userId
   */
  const afterRejection = (used, userId) =>
    alone(async () => {
      adopt();
      if (current?.token === used) end();
      return current?.user.id === userId;
    });

  /**
   * Returns a function that calls the server as this user. It fails if a different user has signed in since then.
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
        if (!(await afterRejection(token, userId))) throw ended();
        if (attempt === 3) throw error;
      }
    }
  };

  /**
   * Calls the server with a request that changes which tokens are valid. Must run inside `alone`.
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

  const mustRenew = () => current !== null && needsRenewal(current, serverTime());

  return {
    current: () => current,
    endedElsewhere: () => endedElsewhere,
    callAs,
    /** Loads the stored session at startup and after another tab has changed it. */
    load: adopt,
    /** @param {{ username: string, email: string, password: string }} input */
    signUp: (input) => enter('/api/auth/register', input),
    /** @param {{ email: string, password: string }} input */
    signIn: (input) => enter('/api/auth/login', input),
    /** @param {{ email: string, code: string, newPassword: string }} input */
    reset: (input) => enter('/api/auth/reset', input),
    /** Ends the session here immediately, then revokes the token on the server. */
    async signOut() {
      const token = current?.token;
      forget();
      if (!token) return;
      const revocation = call('POST', '/api/auth/logout', { token }).catch(() => {});
      // A tab that receives a 401 in the meantime waits for the lock and then finds that the user has signed out.
      alone(() => revocation).catch(() => {});
      await revocation;
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
     * @param {any} body
     */
    keepAccount(body) {
      const user = readAccount(body);
      return alone(async () => {
        adopt();
        if (user.id !== current?.user.id) return;
        keep({ ...current, user: { ...current.user, ...user } });
      });
    },
    /**
     * Exchanges the token for a new one after a third of its lifetime, in the server's time. The old token remains
     * valid for one minute, so that the request can be retried if the response is lost.
     *
     * @param {AbortSignal} signal
     */
    async renewIfNeeded(signal) {
      if (isRenewing || !mustRenew()) return;
      isRenewing = true;
      try {
        for (let failures = 1; mustRenew() && !signal.aborted; failures++) {
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
    // Another tab may have renewed the token in the meantime.
    if (!current || !mustRenew()) return;
    const before = current;
    const next = received((await changing('POST', '/api/auth/renew')).body);
    adopt();
    // A user who has signed out in the meantime must not be signed in again.
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
    // A different version of this page stored the session, so the user must sign in again.
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
  const limit = pLimit(1);
  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  return (work) => (locks ? locks.request(name, {}, work) : limit(work));
}
