import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** A network: an address and the number of its bits that count. */
type Range = readonly [Address, number];

/** Returns whether a host name or address can be reached only from this machine. */
export function isLoopback(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  return ipaddr.isValid(name) && ipaddr.process(name).range() === 'loopback';
}

/** The most characters of an address: IPv6 takes up to 45, and names of network interfaces are short. */
const maxAddressLength = 64;

/** Returns whether a text is an IP address. */
export function isAddress(text: string): boolean {
  return text.length <= maxAddressLength && ipaddr.isValid(text);
}

/** Parses an address or CIDR range; throws if the text is neither. */
export function parseProxyRange(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/**
 * Returns the key of an address for rate limits. An IPv6 client controls a whole /64 network, so its addresses share a
 * key.
 */
export function addressKey(text: string): string {
  if (!text.includes(':') || !isAddress(text)) return text;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${text}/64`)}/64`;
}
