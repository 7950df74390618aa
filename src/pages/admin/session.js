import { byId } from '../shared/dom.ts';
import { ApiError, request, exchange as send } from './api.js';
import { askForToken } from './dialogs.js';

const key = 'admin-token';

/** What is closed where there is no token, while the rest is open. */
const people = '/api/admin/users';

/** @typedef {ReturnType<typeof createSession>} Session */
/** @typedef {Session['call']} Api */

/**
 * Calls admin endpoints. Where the service answers 401 the reader is asked for the token once, and the
 * call is made again; what needs a token where none is set fails with `no_admin_token`. The token lives in this tab's session storage and in the header, nowhere else.
 */
export function createSession() {
  let token = readStored();
  /** @type {Promise<string | undefined> | undefined} */
  let asking;
  let declined = 0;

  /** @param {string | undefined} value */
  const keep = (value) => {
    token = value;
    store(value);
    byId('forget-token').hidden = !value;
  };

  // Requests that are refused together share one question.
  /** @param {boolean} wasRefused */
  const askOnce = (wasRefused) => {
    asking ??= askUntilSendable(wasRefused).then((given) => {
      asking = undefined;
      if (given === undefined) declined += 1;
      return given;
    });
    return asking;
  };

  /**
   * Does something that may need the token, whose answer 401 means that it does.
   *
   * @template Answer
   * @param {string} path
   * @param {(given: { token?: string }) => Promise<Answer>} act
   * @returns {Promise<Answer>}
   */
  const withToken = async (path, act) => {
    const used = token;
    const declinedBefore = declined;
    try {
      return await act(used ? { token: used } : {});
    } catch (error) {
      if (error.status !== 401) throw error;
      if (path.startsWith(people) && (await isOpen())) {
        throw new ApiError(error.message, { code: 'no_admin_token', status: 401 });
      }
      // Who has just said no is not asked again for a call that was under way at the time.
      if (declined > declinedBefore) throw error;
      if (used === token) keep(undefined);
      const given = token ?? (await askOnce(used !== undefined));
      if (!given) throw error;
      keep(given);
      return withToken(path, act);
    }
  };

  /**
   * The body of a successful answer with its ETag.
   *
   * @param {string} path
   * @param {import('./api.js').RequestOptions} options
   */
  const exchange = (path, options = {}) =>
    withToken(path, (given) => send(path, { ...options, ...given }));

  /**
   * @param {string} path
   * @param {import('./api.js').RequestOptions} options
   * @returns {Promise<any>} the body of a successful answer
   */
  const call = async (path, options = {}) => (await exchange(path, options)).answer;

  keep(token);
  return { call, exchange, withToken, forget: () => keep(undefined) };
}

/** Whether the site has no token, so that asking for it would change nothing. */
async function isOpen() {
  try {
    await request('/api/admin/announcements');
    return true;
  } catch {
    return false;
  }
}

/**
 * A header holds printable ASCII only; no token with anything else can be the right one.
 *
 * @param {boolean} wasRefused
 * @returns {Promise<string | undefined>}
 */
async function askUntilSendable(wasRefused) {
  const token = await askForToken(wasRefused);
  return token === undefined || /^[\x21-\x7e]+$/.test(token) ? token : askUntilSendable(true);
}

function readStored() {
  try {
    return sessionStorage.getItem(key) ?? undefined;
  } catch {
    // Storage is switched off: the token is asked for on each visit.
    return undefined;
  }
}

/** @param {string | undefined} token */
function store(token) {
  try {
    if (token) sessionStorage.setItem(key, token);
    else sessionStorage.removeItem(key);
  } catch {
    // As above; for this visit the variable is enough.
  }
}
