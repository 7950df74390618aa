import ipaddr from 'ipaddr.js';
import { isAddress, parseProxyRange } from '../../base/addresses.js';
import { createRecent } from '../../base/recent.js';

export type ClientAddresses = ReturnType<typeof createClientAddresses>;

/**
 * Decides which address a request comes from, believing X-Forwarded-For only from known proxies.
 * `trustedProxies` are addresses or CIDR ranges that `parseProxyRange` accepts.
 */
export function createClientAddresses(trustedProxies: readonly string[]) {
  const ranges = trustedProxies.map(parseProxyRange);
  const canonical = createCanonical();
  const isTrusted = (text: string | undefined): boolean => {
    if (ranges.length === 0 || !text || !isAddress(text)) return false;
    const address = ipaddr.process(text);
    return ranges.some(
      ([base, bits]) => base.kind() === address.kind() && address.match(base, bits),
    );
  };
  return {
    isTrusted,
    /** `forwardedFor` is the X-Forwarded-For header ('' where absent). */
    resolve(remoteAddress = '', forwardedFor: string): string {
      if (forwardedFor === '' || !isTrusted(remoteAddress)) return canonical(remoteAddress);
      // From the nearest hop outwards: the first one that is no proxy of ours is the client.
      const client = nearestHops(forwardedFor).find((hop) => !isTrusted(hop));
      return canonical(client && isAddress(client) ? client : remoteAddress);
    },
  };
}

/** The most hops in `X-Forwarded-For` that are read; no request passes more proxies, so the client claims the rest. */
const mostHops = 32;

/** The last entries of X-Forwarded-For, the nearest first. */
function nearestHops(forwardedFor: string): string[] {
  const hops: string[] = [];
  let end = forwardedFor.length;
  while (end >= 0 && hops.length < mostHops) {
    const start = end === 0 ? -1 : forwardedFor.lastIndexOf(',', end - 1);
    hops.push(forwardedFor.slice(start + 1, end).trim());
    end = start;
  }
  return hops;
}

/**
 * The most addresses whose canonical spelling is cached: parsing one costs more than most of a request. With at
 * most 64 characters each, they take 2 MB.
 */
const rememberedAddresses = 10_000;

/** The one spelling of an address (`::ffff:10.0.0.1` is `10.0.0.1`); other text as it is. */
function createCanonical(): (text: string) => string {
  const known = createRecent<string, string>({ most: rememberedAddresses });
  return (text) => {
    let canonical = known.get(text);
    if (canonical === undefined) {
      canonical = isAddress(text) ? ipaddr.process(text).toString() : text;
      known.set(text, canonical);
    }
    return canonical;
  };
}
