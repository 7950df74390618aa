import { byId } from '../shared/dom.ts';
import type { RequestOptions } from './api.ts';
import { ApiError, request, exchange as send } from './api.ts';

const key = 'admin-token';

/** The paths that need a token even on a site without one. */
const closed = /^\/api\/admin\/(users|admins)/;

/** A token as the person enters it. */
export interface GivenToken {
  token: string;
  /** True if the browser keeps it when the tab is closed. */
  isKept: boolean;
}

export type Session = ReturnType<typeof createSession>;
export type Api = Session['call'];

/**
 * Calls admin endpoints. If the service answers 401, the user is asked once for the token, and the call is repeated. A
 * call that needs a token on a site without one fails with `no_admin_token`. The token is only in this tab's session
 * storage, or in the browser's local storage if the user chooses so, and in the request header.
 */
export function createSession(
  askForToken: (wasRefused: boolean) => Promise<GivenToken | undefined>,
  onToken: () => unknown,
) {
  let token = readStored();
  let asking: Promise<GivenToken | undefined> | undefined;
  let declined = 0;

  const keep = (given: GivenToken | undefined) => {
    token = given?.token;
    store(given);
    byId('forget-token').hidden = !token;
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
      if (closed.test(path) && (await isOpen())) {
        throw new ApiError({ code: 'no_admin_token', status: 401 });
      }
      // A user who has just declined is not asked again for a call that was already running.
      if (declined > declinedBefore) throw error;
      if (used === token) keep(undefined);
      if (token === undefined) {
        const given = await askOnce(used !== undefined);
        if (!given) throw error;
        keep(given);
        onToken();
      }
      return withToken(path, act);
    }
  };

  /** Returns the body of a successful answer with its ETag. */
  const exchange = <Answer>(path: string, options: RequestOptions = {}) =>
    withToken(path, (given) => send<Answer>(path, { ...options, ...given }));

  /** @returns the body of a successful answer */
  const call = async <Answer>(path: string, options: RequestOptions = {}): Promise<Answer> =>
    (await exchange<Answer>(path, options)).answer;

  byId('forget-token').hidden = !token;
  return { call, exchange, withToken, forget: () => keep(undefined) };
}

/** Resolves to true if the site has no token, so that asking for it is pointless. */
async function isOpen() {
  try {
    await request('/api/admin/me');
    return true;
  } catch {
    return false;
  }
}

/** Asks until the token is printable ASCII: others cannot be sent in a header, so they must be wrong. */
async function askUntilSendable(
  askForToken: (wasRefused: boolean) => Promise<GivenToken | undefined>,
  wasRefused: boolean,
): Promise<GivenToken | undefined> {
  const given = await askForToken(wasRefused);
  if (given === undefined || /^[\x21-\x7e]+$/.test(given.token)) return given;
  return askUntilSendable(askForToken, true);
}

function readStored() {
  try {
    return sessionStorage.getItem(key) ?? localStorage.getItem(key) ?? undefined;
  } catch {
    // Storage is disabled: the token is asked for on each visit.
    return undefined;
  }
}

function store(given: GivenToken | undefined) {
  try {
    for (const storage of [sessionStorage, localStorage]) storage.removeItem(key);
    if (given) (given.isKept ? localStorage : sessionStorage).setItem(key, given.token);
  } catch {
    // As above; the variable lasts for this visit.
  }
}
