import ipaddr from 'ipaddr.js';

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
