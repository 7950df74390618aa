import { ApiError, failure } from './api.js';

/** Longer than the slowest line needs for the largest picture that is worth waiting for. */
const timeout = 180_000;

/**
 * Sends a file as it is and says how far it is, which `fetch` cannot.
 *
 * @param {string} path
 * @param {Blob} file
 * @param {object} options
 * @param {string} [options.token]
 * @param {AbortSignal} options.signal
 * @param {(share: number) => void} options.progress from 0 to 1
 * @returns {Promise<any>} the body of a successful answer
 */
export function upload(path, file, { token, signal, progress }) {
  const call = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    /** @param {string} code @param {string} message */
    const fail = (code, message) => () => reject(new ApiError(message, { code }));
    call.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0);
    call.onerror = fail(
      'offline',
      'The server cannot be reached. Check your connection and try again.',
    );
    call.ontimeout = fail('timeout', 'The server takes too long to answer. Try again in a moment.');
    call.onabort = fail('aborted', 'The upload was stopped.');
    call.onload = () => {
      const answer = parse(call.responseText);
      const ok = call.status >= 200 && call.status < 300;
      if (ok && answer?.ok === true) resolve(answer);
      else reject(failure(outcomeOf(call, ok), answer, 'POST'));
    };
    signal.addEventListener('abort', () => call.abort(), { once: true });
    call.open('POST', path);
    call.timeout = timeout;
    call.setRequestHeader('accept', 'application/json');
    if (file.type) call.setRequestHeader('content-type', file.type);
    if (token) call.setRequestHeader('authorization', `Bearer ${token}`);
    call.send(file);
  });
}

/**
 * @param {XMLHttpRequest} call
 * @param {boolean} ok
 */
function outcomeOf(call, ok) {
  const headers = { get: (/** @type {string} */ name) => call.getResponseHeader(name) };
  return { status: call.status, ok, headers };
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
