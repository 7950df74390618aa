/** How many tabs of one browser let the service hold a request. */
const mostHeld = 3;

/** @typedef {<T>(work: (mayHold: boolean) => Promise<T>) => Promise<T>} HoldRequest */

/**
 * Runs work with the right to a request that the service holds, or without where enough tabs have it: a
 * browser has six connections to a site, and a post must not wait until one of them is free.
 *
 * @param {import('./types.js').LockSource | undefined} locks
 * @returns {HoldRequest}
 */
export function createHoldRequest(locks) {
  return async (work) => {
    if (!locks) return work(true);
    for (let slot = 0; slot < mostHeld; slot++) {
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
