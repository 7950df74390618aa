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

/** Where the token is kept. After an end by the server only that is kept: `{"ended":true}`. */
export const sessionName = 'session';

/**
 * Who is signed in: the token, kept for all tabs and renewed. Everything that changes it goes one after
 * another, over all tabs where there are locks, so that a 401 is judged by the token that counts.
 *
 * @param {object} parts
 * @param {Call} parts.call
 * @param {import('./vault.js').Vault} parts.vault
 * @param {import('./types.js').LockSource | undefined} parts.locks
 * @param {import('../shared/pauses.ts').Pauses} parts.pauses
 * @param {() => number | null} parts.serverTime the last time that the server named, milliseconds
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
   * What an answer says that gives a token.
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

  /** What is kept counts: another tab may have written it. */
  const adopt = () => {
    const kept = parseKept(vault.get(sessionName));
    become(readKept(kept), kept?.ended === true);
  };

  /**
   * Whether there is still a token of this user worth trying, after `used` was refused.
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
   * A call with the token of this user, and of nobody else who may sign in meanwhile.
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
   * A call of the signed-in user that changes which tokens count; made while `alone`.
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
    /** Takes what is kept: at the start, and after another tab changed it. */
    load: adopt,
    /** @param {{ username: string, email: string, password: string }} input */
    signUp: (input) => enter('/api/auth/register', input),
    /** @param {{ email: string, password: string }} input */
    signIn: (input) => enter('/api/auth/login', input),
    /** @param {{ email: string, code: string, newPassword: string }} input */
    reset: (input) => enter('/api/auth/reset', input),
    /** Ends here at once; the server is asked to end the token as well as it can be reached. */
    async signOut() {
      const token = current?.token;
      forget();
      if (!token) return;
      const asked = call('POST', '/api/auth/logout', { token }).catch(() => {});
      // A tab that is refused meanwhile waits its turn, and then finds that this was on purpose.
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
     * What the server says of the own account.
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
     * Swaps the token for a new one where a third of its life has passed, by the server's own time. The
     * old one is good for a minute more, so an answer that was lost is asked for again.
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
    // Another tab may have done it while this one waited for its turn.
    if (!current || !isDue()) return;
    const before = current;
    const next = received((await changing('POST', '/api/auth/renew')).body);
    adopt();
    // Who signed out meanwhile stays signed out.
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
    // Written by a version that kept something else: sign in again.
    return null;
  }
}

/** @param {SignedIn | null} a @param {SignedIn | null} b */
function sameSession(a, b) {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/**
 * Runs one piece of work at a time, over all tabs where there are locks.
 *
 * @param {import('./types.js').LockSource | undefined} locks
 * @param {string} name
 */
function createQueue(locks, name) {
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  return (work) => {
    if (locks) return locks.request(name, {}, work);
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}
