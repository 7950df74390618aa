/** Maximum number of tabs of one browser whose requests the server may hold open. */
const maxHeld = 3;

/** @typedef {<T>(work: (mayHold: boolean) => Promise<T>) => Promise<T>} HoldRequest */

/**
 * Calls `work` with or without permission for a held request. Only some tabs receive permission, because a browser has
 * six connections to a site and a post must not wait for a free connection.
 *
 * @param {import('./types.js').LockSource | undefined} locks
 * @returns {HoldRequest}
 */
export function createHoldRequest(locks) {
  return async (work) => {
    if (!locks) return work(true);
    for (let slot = 0; slot < maxHeld; slot++) {
      const result = await locks.request(
        `msgsite-chat.held.${slot}`,
        { ifAvailable: true },
        async (lock) => (lock === null ? null : { value: await work(true) }),
      );
      if (result) return result.value;
    }
    return work(false);
  };
}
