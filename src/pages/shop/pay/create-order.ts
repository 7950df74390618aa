import { CallError } from '../../shared/failure.js';
import type { Keys, OrderedPieces } from './keys.js';
import type { Order, Server } from './server.js';

/** Codes of failures that mean that no order was created and that an immediate retry is pointless. */
const clear = [
  'not_for_sale',
  'payments_unavailable',
  'provider_error',
  'rate_limited',
  'not_found',
];
/** How often a request is repeated after an error of the server. */
const maxFaults = 4;

/** Milliseconds by which the time in an answer may be wrong. */
const inexactness = 5000;

interface CreateOptions {
  readonly server: Server;
  readonly keys: Keys;
  readonly signal: AbortSignal;
  onLost(isLost: boolean): void;
}

/**
 * Creates exactly one order: the request is repeated with the same key until an answer arrives. Throws a `CallError` if
 * there is no order, and the signal's reason if it is aborted.
 */
export async function createOrder(
  ordered: OrderedPieces,
  { server, keys, signal, onLost }: CreateOptions,
): Promise<Order> {
  const started = performance.now();
  let failures = 0;
  let faults = 0;
  for (;;) {
    try {
      const order = await server.create(ordered, keys.keyFor(ordered), signal);
      onLost(false);
      // The page may come from the browser's cache with the key of an earlier order. A new order cannot have ended.
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
        if (faults >= maxFaults) throw error;
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
