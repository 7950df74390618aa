import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { AppError } from '../../base/errors.js';

/** Whether receivers on loopback and private networks may be called. */
export type PrivateAddresses = 'allow' | 'deny';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Addresses at which cloud providers hand out credentials to whoever asks from inside, beyond the
 * link-local 169.254.0.0/16 that most use: Alibaba, Oracle, Azure's wire server; AWS and Google over IPv6.
 */
const metadataRanges = [
  '100.100.100.200/32',
  '192.0.0.192/32',
  '168.63.129.16/32',
  'fd00:ec2::/32',
  'fd20:ce::/32',
].map((range) => ipaddr.parseCIDR(range));

/** Never a receiver of webhooks, in the words of ipaddr.js. */
const forbiddenRanges = new Set(['linkLocal', 'multicast', 'broadcast']);

/** IPv6 prefixes that carry an IPv4 address, and the byte it begins at. */
const carriers: readonly { readonly range: [ipaddr.IPv6, number]; readonly at: number }[] = [
  { range: ipaddr.IPv6.parseCIDR('::/96'), at: 12 },
  { range: ipaddr.IPv6.parseCIDR('::ffff:0:0/96'), at: 12 },
  { range: ipaddr.IPv6.parseCIDR('::ffff:0:0:0/96'), at: 12 },
  { range: ipaddr.IPv6.parseCIDR('64:ff9b::/96'), at: 12 },
  { range: ipaddr.IPv6.parseCIDR('64:ff9b:1::/48'), at: 12 },
  { range: ipaddr.IPv6.parseCIDR('2002::/16'), at: 2 },
];

/**
 * Why a connection to this IP address is refused, or null where it may be made. An IPv6 address that
 * carries an IPv4 one (mapped, translated, 6to4) is judged by both.
 */
export function refusalOf(address: string, privateAddresses: PrivateAddresses): string | null {
  if (!ipaddr.isValid(address)) return `${address} is no IP address`;
  const parsed = ipaddr.parse(address);
  const judged = [parsed, ...carriedBy(parsed)];
  for (const candidate of judged) {
    if (metadataRanges.some((range) => inRange(candidate, range))) {
      return `${address} is a cloud metadata address`;
    }
    const range = candidate.range();
    if (forbiddenRanges.has(range)) return `${address} is a ${inWords(range)} address`;
  }
  const meant = judged.at(-1) ?? parsed;
  if (privateAddresses === 'deny' && meant.range() !== 'unicast') {
    return `${address} is not a public address, and MSGSITE_WEBHOOK_PRIVATE is deny`;
  }
  return null;
}

/** The host of a URL as an IP address, or null where it is a name. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? bare : null;
}

function carriedBy(address: Address): ipaddr.IPv4[] {
  if (!(address instanceof ipaddr.IPv6)) return [];
  const carrier = carriers.find(({ range }) => address.match(range));
  // `::` and `::1` are addresses of their own.
  if (!carrier || ['unspecified', 'loopback'].includes(address.range())) return [];
  return [new ipaddr.IPv4(address.toByteArray().slice(carrier.at, carrier.at + 4))];
}

function inRange(address: Address, range: [Address, number]): boolean {
  return address.kind() === range[0].kind() && address.match(range);
}

function inWords(range: string): string {
  return range === 'linkLocal' ? 'link-local' : range;
}

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
