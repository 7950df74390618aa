import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** A network: an address, and how many of its bits count. */
type Range = readonly [Address, number];

/** Whether a host name or address can only be reached from this machine. */
export function isLoopback(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  return ipaddr.isValid(name) && ipaddr.process(name).range() === 'loopback';
}

/** Characters of an address: IPv6 takes up to 45, and names of network cards are short. */
const longestAddress = 64;

/** Whether a text is an IP address. */
export function isAddress(text: string): boolean {
  return text.length <= longestAddress && ipaddr.isValid(text);
}

/** An address or CIDR range; throws where it is neither. */
export function parseProxyRange(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/**
 * The key that limits per address count under: an IPv6 client commands a whole /64 network, so its
 * addresses count together.
 */
export function addressKey(text: string): string {
  if (!text.includes(':') || !isAddress(text)) return text;
  const address = ipaddr.parse(text);
  if (!(address instanceof ipaddr.IPv6)) return text;
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
