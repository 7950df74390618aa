import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** An IP network: an address and the length of its prefix in bits. */
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

/** Maximum length of an IP address, in characters. IPv6 takes up to 45, and interface names are short. */
const maxAddressLength = 64;

/** Returns whether a text is an IP address. */
export function isAddress(text: string): boolean {
  return text.length <= maxAddressLength && ipaddr.isValid(text);
}

/** Parses an IP address or CIDR range. Throws if the text is neither. */
export function parseProxyRange(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/**
 * Returns the rate-limit key of an address. An IPv6 client controls a whole /64 network, so its addresses share a key.
 */
export function addressKey(text: string): string {
  if (!text.includes(':') || !isAddress(text)) return text;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${text}/64`)}/64`;
}
