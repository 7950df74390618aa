import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { AppError } from '../../base/errors.js';

/** Allows or denies calls to receivers on loopback and private networks. */
export type PrivateAddresses = 'allow' | 'deny';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Addresses at which cloud providers issue credentials to any program on a machine, in addition to the link-local
 * 169.254.0.0/16: Alibaba, Oracle, Azure's wire server; AWS and Google over IPv6.
 */
const metadataRanges = [
  '100.100.100.200/32',
  '192.0.0.192/32',
  '168.63.129.16/32',
  'fd00:ec2::/32',
  'fd20:ce::/32',
].map((range) => ipaddr.parseCIDR(range));

/** Ranges, by their names in ipaddr.js, that never contain receivers of webhooks. */
const forbiddenRanges = new Set(['linkLocal', 'multicast', 'broadcast']);

/** IPv6 prefixes that embed an IPv4 address, and the offset of its first byte. */
const carriers: readonly { readonly range: [ipaddr.IPv6, number]; readonly at: number }[] = [
  { range: ipaddr.IPv6.parseCIDR('::/96'), at: 12 },
  { range: ipaddr.IPv6.parseCIDR('::ffff:0:0/96'), at: 12 },
  { range: ipaddr.IPv6.parseCIDR('::ffff:0:0:0/96'), at: 12 },
  { range: ipaddr.IPv6.parseCIDR('64:ff9b::/96'), at: 12 },
  { range: ipaddr.IPv6.parseCIDR('64:ff9b:1::/48'), at: 12 },
  { range: ipaddr.IPv6.parseCIDR('2002::/16'), at: 2 },
];

/**
 * Returns the reason why a connection to an IP address is denied, or null if it is allowed. If an IPv6 address embeds
 * an IPv4 address (mapped, translated, 6to4), both are checked.
 */
export function refusalOf(address: string, privateAddresses: PrivateAddresses): string | null {
  if (!ipaddr.isValid(address)) return `${address} is not a valid IP address`;
  const parsed = ipaddr.parse(address);
  const checked = [parsed, ...carriedBy(parsed)];
  for (const candidate of checked) {
    if (metadataRanges.some((range) => inRange(candidate, range))) {
      return `${address} is a cloud metadata address`;
    }
    const range = candidate.range();
    if (forbiddenRanges.has(range)) return `${address} is a ${inWords(range)} address`;
  }
  const reached = checked.at(-1) ?? parsed;
  if (privateAddresses === 'deny' && reached.range() !== 'unicast') {
    return `${address} is not a public address, and MSGSITE_WEBHOOK_PRIVATE is deny`;
  }
  return null;
}

/** Returns the host of a URL as an IP address, or null if it is a name. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? bare : null;
}

function carriedBy(address: Address): ipaddr.IPv4[] {
  if (!(address instanceof ipaddr.IPv6)) return [];
  const carrier = carriers.find(({ range }) => address.match(range));
  // `::` and `::1` embed no IPv4 address.
  if (!carrier || ['unspecified', 'loopback'].includes(address.range())) return [];
  return [new ipaddr.IPv4(address.toByteArray().slice(carrier.at, carrier.at + 4))];
}

function inRange(address: Address, range: [Address, number]): boolean {
  return address.kind() === range[0].kind() && address.match(range);
}

function inWords(range: string): string {
  return range === 'linkLocal' ? 'link-local' : range;
}

/** Resolves a name to all its addresses, like `dns.lookup` with `all`. */
export type ResolveName = (
  hostname: string,
  callback: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** Uses the machine's resolver, including its hosts file. */
const systemResolve: ResolveName = (hostname, callback) => {
  lookup(hostname, { all: true }, callback);
};

/** Throws if the host of a URL is an IP address that must not be called. */
export function refuseLiteral(hostname: string, privateAddresses: PrivateAddresses): void {
  const address = literalAddress(hostname);
  const refusal = address && refusalOf(address, privateAddresses);
  if (refusal) throw refused(refusal);
}

/**
 * Returns a `lookup` for sockets that returns only allowed addresses. The socket connects to the checked address, so a
 * name that resolves differently a moment later cannot circumvent the check.
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
      const candidates = addresses.filter((address) => !family || address.family === family);
      const allowed = candidates.filter(({ address }) => !refusalOf(address, privateAddresses));
      const [first] = allowed;
      if (!first) return callback(refused(reasonFor(hostname, candidates, privateAddresses)), '');
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

/** Combines simultaneous lookups of one name, so that a dead resolver occupies only one thread per name. */
function shareLookups(resolve: ResolveName): ResolveName {
  const pending = new Map<string, Parameters<ResolveName>[1][]>();
  return (hostname, callback) => {
    const waiting = pending.get(hostname);
    if (waiting) {
      waiting.push(callback);
      return;
    }
    const callbacks = [callback];
    pending.set(hostname, callbacks);
    resolve(hostname, (error, addresses) => {
      pending.delete(hostname);
      for (const waiter of callbacks) waiter(error, addresses);
    });
  };
}
