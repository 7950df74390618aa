import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isAddress, parseProxyRange } from '../../base/addresses.js';

export type ClientAddresses = ReturnType<typeof createClientAddresses>;

/**
 * Determines the addresses of clients, and trusts X-Forwarded-For only from known proxies. `trustedProxies` are
 * addresses or CIDR ranges in a format that `parseProxyRange` accepts.
 */
export function createClientAddresses(trustedProxies: readonly string[]) {
  const ranges = trustedProxies.map(parseProxyRange);

  const isTrusted = (text: string | undefined): boolean => {
    if (ranges.length === 0 || !text || !isAddress(text)) return false;
    const address = ipaddr.process(text);
    return ranges.some(
      ([base, bits]) => base.kind() === address.kind() && address.match(base, bits),
    );
  };
  return {
    isTrusted,
    /** Returns the client's address. `forwardedFor` is the X-Forwarded-For header, or '' if it is absent. */
    resolve(remoteAddress = '', forwardedFor: string): string {
      if (forwardedFor === '' || !isTrusted(remoteAddress)) return canonical(remoteAddress);
      // The client is the last hop that is not one of our proxies.
      const hops = forwardedFor.split(',').slice(-maxHops);
      const client = hops.map((hop) => hop.trim()).findLast((hop) => !isTrusted(hop));
      return canonical(client && isAddress(client) ? client : remoteAddress);
    },
  };
}

/**
 * Maximum number of hops of `X-Forwarded-For` that are read. No request passes more proxies, so further hops are
 * forged.
 */
const maxHops = 32;

/** Returns the canonical form of an address (`10.0.0.1` for `::ffff:10.0.0.1`). Other text is returned unchanged. */
function canonical(text: string): string {
  // Node.js accepts only the canonical form of IPv4.
  if (isIPv4(text) || !isAddress(text)) return text;
  return ipaddr.process(text).toString();
}
