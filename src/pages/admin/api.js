// The one place that talks to the service. Every failure is an ApiError with a sentence to show.

/** @typedef {{ path: string, message: string }} Detail what is wrong at one place of a body */
/**
 * @typedef {object} RequestOptions
 * @property {string} [method]
 * @property {unknown} [body] sent as JSON; a Blob as it is, under its own type
 * @property {string} [token]
 * @property {string} [ifMatch] the ETag of the version that a change was made from
 */
/** @typedef {Pick<Response, 'status' | 'ok'> & { headers: Pick<Headers, 'get'> }} Outcome */

/** Longer than this and a visitor has given up already. */
const timeout = 15_000;

/** A failure with a sentence to show. */
export class ApiError extends Error {
  /**
   * `code` is the service's own, or `offline`, `timeout`, `bad_answer`.
   *
   * @param {string} message
   * @param {{ code: string, status?: number, details?: Detail[] }} facts
   */
  constructor(message, { code, status = 0, details = [] }) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

/**
 * Calls the service and gives the parsed body of a successful answer.
 *
 * @param {string} path
 * @param {RequestOptions} options
 */
export async function request(path, options = {}) {
  return (await exchange(path, options)).answer;
}

/**
 * Calls the service and gives the parsed body of a successful answer with its ETag, which says which version of a
 * thing it is.
 *
 * @param {string} path
 * @param {RequestOptions} options
 * @returns {Promise<{ answer: any, etag: string | undefined }>}
 */
export async function exchange(path, options = {}) {
  const { method = 'GET', body, token, ifMatch } = options;
  /** @type {Record<string, string>} */
  const headers = { accept: 'application/json' };
  if (body !== undefined) {
    headers['content-type'] = body instanceof Blob ? body.type : 'application/json';
  }
  if (token) headers.authorization = `Bearer ${token}`;
  if (ifMatch) headers['if-match'] = ifMatch;
  const response = await send(path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: body instanceof Blob ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeout),
  });
  const answer = await parse(response);
  if (!response.ok || answer?.ok !== true) throw failure(response, answer, method);
  return { answer, etag: response.headers.get('etag') ?? undefined };
}

/**
 * A file that the service makes, such as a CSV.
 *
 * @param {string} path
 * @param {{ token?: string }} options
 */
export async function download(path, { token } = {}) {
  const response = await send(path, {
    headers: token ? { authorization: `Bearer ${token}` } : {},
    signal: AbortSignal.timeout(timeout),
  });
  if (!response.ok) throw failure(response, await parse(response), 'GET');
  return response.blob();
}

/**
 * @param {string} path
 * @param {RequestInit} init
 */
async function send(path, init) {
  try {
    return await fetch(path, init);
  } catch (error) {
    if (error.name === 'TimeoutError') {
      throw new ApiError('The server takes too long to answer. Try again in a moment.', {
        code: 'timeout',
      });
    }
    throw new ApiError('The server cannot be reached. Check your connection and try again.', {
      code: 'offline',
    });
  }
}

/** @param {Response} response */
async function parse(response) {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}

/**
 * What an answer that is no success says, as a failure to throw.
 *
 * @param {Outcome} outcome
 * @param {any} answer
 * @param {string} method
 */
export function failure({ status, headers, ok }, answer, method) {
  const details = Array.isArray(answer?.details) ? answer.details : [];
  const code = answer?.code ?? (ok ? 'bad_answer' : `http_${status}`);
  return new ApiError(sentence({ status, headers, answer, method }), { code, status, details });
}

/** Refusals with status 503 that say more than that nothing can be stored. */
const ownWords = ['images_unavailable', 'payments_unavailable'];

/** @param {Omit<Outcome, 'ok'> & { answer: any, method: string }} facts */
function sentence({ status, headers, answer, method }) {
  if (status === 503 && !ownWords.includes(answer?.code)) {
    return method === 'GET'
      ? 'The service cannot read its data at the moment. Try again shortly.'
      : 'The service cannot store anything at the moment. Nothing was changed; try again shortly.';
  }
  if (status === 429) {
    const seconds = Number(headers.get('retry-after')) || 60;
    return `Too many requests. Try again in ${seconds} seconds.`;
  }
  if (typeof answer?.error === 'string' && answer.error) return answer.error;
  return `The server answered in a way this page does not understand (status ${status}).`;
}
