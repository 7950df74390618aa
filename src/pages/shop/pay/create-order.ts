import { CallError } from '../../shared/failure.js';
import type { Keys, Wanted } from './keys.js';
import type { Order, Server } from './server.js';

/** Failures that say that no order was made, and that repeating the request at once is of no use. */
const clear = [
  'not_for_sale',
  'payments_unavailable',
  'provider_error',
  'rate_limited',
  'not_found',
];
/** How often a request is repeated after a fault of the server's own. */
const mostFaults = 4;

/** Milliseconds by which the time of an answer may be wrong. */
const inexactness = 5000;

interface CreateOptions {
  readonly server: Server;
  readonly keys: Keys;
  readonly signal: AbortSignal;
  onLost(isLost: boolean): void;
}

/**
 * Creates an order. Whatever happens to the answers, there is only one: the request is repeated with the same key until
 * an answer arrives. Throws a `CallError` if there is no order, and the signal's reason if it is aborted.
 */
export async function createOrder(
  wanted: Wanted,
  { server, keys, signal, onLost }: CreateOptions,
): Promise<Order> {
  const started = performance.now();
  let failures = 0;
  let faults = 0;
  for (;;) {
    try {
      const order = await server.create(wanted, keys.keyFor(wanted), signal);
      onLost(false);
      // The page may come from the browser's cache, and its key belong to an earlier order: a new one has not ended.
      const begun = server.clock.now() - (performance.now() - started);
      const isNew = failures > 0 && Date.parse(order.createdAt) >= begun - inexactness;
      if (isNew || !isOver(order)) return order;
      keys.renew();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof CallError)) throw error;
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

function isOver({ status }: Order): boolean {
  return status !== 'pending' && status !== 'unknown';
}

function isClear({ isAnswer, status, code }: CallError): boolean {
  return isAnswer && (clear.includes(code) || (status >= 400 && status < 500 && status !== 408));
}
