import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { AppError } from '../../base/errors.js';
import { literalAddress, type PrivateAddresses, refusalOf } from './address-guard.js';

/** Every address of a name, as `dns.lookup` with `all` gives them. */
export type ResolveName = (
  hostname: string,
  callback: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** The machine's resolver, hosts file included. */
const systemResolve: ResolveName = (hostname, callback) => {
  lookup(hostname, { all: true }, callback);
};

/** Throws where the host of a URL is itself an address that may not be called. */
export function refuseLiteral(hostname: string, privateAddresses: PrivateAddresses): void {
  const address = literalAddress(hostname);
  const refusal = address && refusalOf(address, privateAddresses);
  if (refusal) throw refused(refusal);
}

/**
 * A `lookup` for sockets that gives only addresses that may be called, so that what was checked is
 * what is connected to: a name that resolves differently a moment later gains nothing.
 */
export function createGuardedLookup(
  privateAddresses: PrivateAddresses,
  resolve: ResolveName = systemResolve,
): LookupFunction {
  const resolveOnce = shareLookups(resolve);
  return (hostname, options, callback) => {
    resolveOnce(hostname, (error, addresses) => {
      if (error) return callback(error, '');
      const family = options.family === 4 || options.family === 6 ? options.family : undefined;
      const wanted = addresses.filter((address) => !family || address.family === family);
      const allowed = wanted.filter(({ address }) => !refusalOf(address, privateAddresses));
      const [first] = allowed;
      if (!first) return callback(refused(reasonFor(hostname, wanted, privateAddresses)), '');
      if (options.all) return callback(null, allowed);
      return callback(null, first.address, first.family);
    });
  };
}

function reasonFor(
  hostname: string,
  addresses: readonly LookupAddress[],
  privateAddresses: PrivateAddresses,
): string {
  const [first] = addresses;
  if (!first) return `${hostname} has no address`;
  return `${hostname}: ${refusalOf(first.address, privateAddresses) ?? 'no usable address'}`;
}

function refused(reason: string): AppError {
  return new AppError('refused', `not connected: ${reason}`);
}

/** Lookups of one name at the same time become one: a dead resolver occupies one thread per name. */
function shareLookups(resolve: ResolveName): ResolveName {
  const underway = new Map<string, Parameters<ResolveName>[1][]>();
  return (hostname, callback) => {
    const waiting = underway.get(hostname);
    if (waiting) {
      waiting.push(callback);
      return;
    }
    const callbacks = [callback];
    underway.set(hostname, callbacks);
    resolve(hostname, (error, addresses) => {
      underway.delete(hostname);
      for (const waiter of callbacks) waiter(error, addresses);
    });
  };
}
