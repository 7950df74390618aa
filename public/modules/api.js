// The one place that talks to the service. Every failure is an ApiError with a sentence to show.

/** @typedef {{ path: string, message: string }} Detail what is wrong at one place of a body */
/** @typedef {{ method?: string, body?: unknown, token?: string }} RequestOptions */
/** @typedef {Pick<Response, 'status' | 'headers' | 'ok'>} Outcome */

/** Longer than this and a visitor has given up already. */
const timeout = 15_000;

class ApiError extends Error {
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
export async function request(path, { method = 'GET', body, token } = {}) {
  /** @type {Record<string, string>} */
  const headers = { accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (token) headers.authorization = `Bearer ${token}`;
  const response = await send(path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeout),
  });
  const answer = await parse(response);
  if (response.ok && answer?.ok === true) return answer;
  throw failure(response, answer, method);
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
 * @param {Outcome} outcome
 * @param {any} answer
 * @param {string} method
 */
function failure({ status, headers, ok }, answer, method) {
  const details = Array.isArray(answer?.details) ? answer.details : [];
  const code = answer?.code ?? (ok ? 'bad_answer' : `http_${status}`);
  return new ApiError(sentence({ status, headers, answer, method }), { code, status, details });
}

/** @param {Omit<Outcome, 'ok'> & { answer: any, method: string }} facts */
function sentence({ status, headers, answer, method }) {
  if (status === 503) {
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
