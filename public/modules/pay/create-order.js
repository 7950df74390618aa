import { ChatError } from '/modules/chat/failure.js';

/** @typedef {import('/modules/pay/server.js').Server} Server */
/** @typedef {ReturnType<typeof import('/modules/pay/keys.js').createKeys>} Keys */

/** Failures that say that no order was made, and that asking again at once is of no use. */
const clear = [
  'not_for_sale',
  'payments_unavailable',
  'provider_error',
  'rate_limited',
  'not_found',
];
/** So often an answer is asked for that the server did not give because of a fault of its own. */
const mostFaults = 4;

/** Milliseconds by which the time of an answer may be wrong. */
const inexactness = 5000;

/**
 * Makes an order. Whatever becomes of the answers, there is one: it is asked for with the same key until one has come.
 * Throws a `ChatError` where there is no order, and what the signal was aborted with.
 *
 * @param {import('/modules/pay/keys.js').Wanted} wanted
 * @param {{ server: Server, keys: Keys, signal: AbortSignal, onLost: (isLost: boolean) => void }} options
 */
export async function createOrder(wanted, { server, keys, signal, onLost }) {
  const started = performance.now();
  let failures = 0;
  let faults = 0;
  for (;;) {
    try {
      const order = await server.create(wanted, keys.keyFor(wanted), signal);
      onLost(false);
      // The page may come from the browser's cache, and its key stand for an order of before: a new one is not over.
      const begun = server.clock.now() - (performance.now() - started);
      const isNew = failures > 0 && Date.parse(order.createdAt) >= begun - inexactness;
      if (isNew || !isOver(order)) return order;
      keys.renew();
    } catch (error) {
      signal.throwIfAborted();
      if (error.code === 'conflict') keys.renew();
      else if (isClear(error)) throw error;
      else {
        failures += 1;
        if (error.isAnswer) faults += 1;
        if (faults >= mostFaults) throw error;
        onLost(true);
        await server.pause(error, failures, signal);
        signal.throwIfAborted();
      }
    }
  }
}

/** @param {import('/modules/pay/server.js').Order} order */
function isOver({ status }) {
  return status !== 'pending' && status !== 'unknown';
}

/** @param {unknown} error */
function isClear(error) {
  if (!(error instanceof ChatError)) return true;
  const { status, code } = error;
  return (
    error.isAnswer && (clear.includes(code) || (status >= 400 && status < 500 && status !== 408))
  );
}
