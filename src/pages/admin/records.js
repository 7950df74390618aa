import { ApiError } from './api.js';

/** @typedef {ReturnType<typeof createRecords>} Records */
/**
 * A thing as it was stored, and the ETag of that version.
 *
 * @template Value
 * @typedef {{ value: Value, etag: string | undefined }} Version
 */

/**
 * Things that several people may change: a change names the version that it was made from, and fails with status 412
 * where somebody else was faster.
 *
 * @param {import('./session.js').Session['exchange']} exchange
 */
export function createRecords(exchange) {
  /**
   * @param {string} path
   * @returns {Promise<Version<any>>}
   */
  const read = async (path) => {
    const { answer, etag } = await exchange(path);
    return { value: answer.data, etag };
  };

  /**
   * @param {string} path
   * @param {unknown} body
   * @param {string | undefined} etag
   * @returns {Promise<Version<any>>}
   */
  const write = async (path, body, etag) => {
    const sent = await exchange(path, { method: 'PUT', body, ...(etag ? { ifMatch: etag } : {}) });
    return { value: sent.answer.data, etag: sent.etag };
  };

  /**
   * Changes fields that are on the page as `known`: where they are others by now, nothing is changed and this fails
   * with 412. What else has changed in the thing does not matter.
   *
   * @param {{ path: string, readFrom?: string, known: object, body: object }} change
   */
  const change = async ({ path, readFrom = path, known, body }) => {
    const { value, etag } = await read(readFrom);
    const isKnown = Object.entries(known).every(([name, was]) => value[name] === was);
    if (isKnown) return write(path, body, etag);
    throw new ApiError('Somebody else has changed this meanwhile.', {
      code: 'precondition_failed',
      status: 412,
    });
  };

  return { read, write, change };
}
