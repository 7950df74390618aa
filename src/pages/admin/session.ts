import { byId } from '../shared/dom.ts';
import type { RequestOptions } from './api.ts';
import { ApiError, request, exchange as send } from './api.ts';

const key = 'admin-token';

/** The paths that need a token even on a site without one. */
const people = '/api/admin/users';

export type Session = ReturnType<typeof createSession>;
export type Api = Session['call'];

/**
 * Calls admin endpoints. If the service answers 401, the user is asked once for the token, and the call is repeated. A
 * call that needs a token on a site without one fails with `no_admin_token`. The token is only in this tab's session
 * storage and in the request header.
 */
export function createSession(askForToken: (wasRefused: boolean) => Promise<string | undefined>) {
  let token = readStored();
  let asking: Promise<string | undefined> | undefined;
  let declined = 0;

  const keep = (value: string | undefined) => {
    token = value;
    store(value);
    byId('forget-token').hidden = !value;
  };

  // Requests that are refused at the same time share one question.
  const askOnce = (wasRefused: boolean) => {
    asking ??= askUntilSendable(askForToken, wasRefused).then((given) => {
      asking = undefined;
      if (given === undefined) declined += 1;
      return given;
    });
    return asking;
  };

  /** Calls `act`, which may need the token; 401 means that it does. */
  const withToken = async <Answer>(
    path: string,
    act: (given: { token?: string }) => Promise<Answer>,
  ): Promise<Answer> => {
    const used = token;
    const declinedBefore = declined;
    try {
      return await act(used ? { token: used } : {});
    } catch (error) {
      if (error.status !== 401) throw error;
      if (path.startsWith(people) && (await isOpen())) {
        throw new ApiError({ code: 'no_admin_token', status: 401 });
      }
      // A user who has just declined is not asked again for a call that was already running.
      if (declined > declinedBefore) throw error;
      if (used === token) keep(undefined);
      const given = token ?? (await askOnce(used !== undefined));
      if (!given) throw error;
      keep(given);
      return withToken(path, act);
    }
  };

  /** Returns the body of a successful answer with its ETag. */
  const exchange = <Answer>(path: string, options: RequestOptions = {}) =>
    withToken(path, (given) => send<Answer>(path, { ...options, ...given }));

  /** @returns the body of a successful answer */
  const call = async <Answer>(path: string, options: RequestOptions = {}): Promise<Answer> =>
    (await exchange<Answer>(path, options)).answer;

  keep(token);
  return { call, exchange, withToken, forget: () => keep(undefined) };
}

/** Resolves to true if the site has no token, so that asking for it is pointless. */
async function isOpen() {
  try {
    await request('/api/admin/announcements');
    return true;
  } catch {
    return false;
  }
}

/** Asks until the token is printable ASCII: others cannot be sent in a header, so they must be wrong. */
async function askUntilSendable(
  askForToken: (wasRefused: boolean) => Promise<string | undefined>,
  wasRefused: boolean,
): Promise<string | undefined> {
  const token = await askForToken(wasRefused);
  if (token === undefined || /^[\x21-\x7e]+$/.test(token)) return token;
  return askUntilSendable(askForToken, true);
}

function readStored() {
  try {
    return sessionStorage.getItem(key) ?? undefined;
  } catch {
    // Storage is disabled: the token is asked for on each visit.
    return undefined;
  }
}

function store(token: string | undefined) {
  try {
    if (token) sessionStorage.setItem(key, token);
    else sessionStorage.removeItem(key);
  } catch {
    // As above; the variable lasts for this visit.
  }
}
