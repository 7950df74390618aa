/**
 * Lets so many pieces of work run at once; the others wait, first come, first served.
 *
 * @param {number} most
 */
export function createTurns(most) {
  let running = 0;
  /** @type {(() => void)[]} */
  const queue = [];
  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  return async (work) => {
    if (running >= most) await new Promise((resolve) => queue.push(() => resolve(undefined)));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
