import { request } from '../api.js';
import { byId } from '../dom.js';
import { askForToken } from './dialogs.js';

const key = 'admin-token';

/** @typedef {ReturnType<typeof createSession>['call']} Api */

/**
 * Calls admin endpoints. Where the service answers 401 the reader is asked for the token once, and the
 * call is made again. The token lives in this tab's session storage and in the header, nowhere else.
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
   * @param {string} path
   * @param {import('../api.js').RequestOptions} options
   * @returns {Promise<any>} the body of a successful answer
   */
  const call = async (path, options = {}) => {
    const used = token;
    const declinedBefore = declined;
    try {
      return await request(path, { ...options, ...(used ? { token: used } : {}) });
    } catch (error) {
      if (error.status !== 401) throw error;
      // Who has just said no is not asked again for a call that was under way at the time.
      if (declined > declinedBefore) throw error;
      if (used === token) keep(undefined);
      const given = token ?? (await askOnce(used !== undefined));
      if (!given) throw error;
      keep(given);
      return call(path, options);
    }
  };

  keep(token);
  return { call, forget: () => keep(undefined) };
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
