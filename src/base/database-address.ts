/** One server of a database address. */
export interface DatabaseHost {
  /** A name, an IP address without brackets, or the folder of a Unix socket, which begins with a slash. */
  readonly host: string;
  /** Undefined means the default port. */
  readonly port: number | undefined;
}

/** A parsed database address. */
export interface DatabaseAddress {
  readonly protocol: string;
  readonly user: string;
  readonly password: string;
  /** Hosts in the order in which they are listed. Empty if the environment provides them (`PGHOST`). */
  readonly hosts: readonly DatabaseHost[];
  /** A slash and the database name, or an empty string. */
  readonly path: string;
  readonly parameters: URLSearchParams;
}

/** `postgres://`, then user and password up to the last `@`, hosts, path and parameters. */
const shape = /^(postgres(?:ql)?:)\/\/(?=.)(?:([^/?#]*)@)?([^/?#@]*)([^?#]*)(?:\?([^#]*))?$/;
/** A name, an IPv4 address or an IPv6 address in brackets, and a port. */
const hostShape = /^(?:\[([\da-f:.%]+)\]|([^:[\]]*))(?::(\d+))?$/i;
const greatestPort = 65_535;
/** Valid parameter values, as in PostgreSQL's own programs. A misspelled value is an error. */
const parameterShapes: Readonly<Record<string, RegExp>> = {
  sslmode: /^(disable|allow|prefer|require|verify-ca|verify-full)$/,
  target_session_attrs: /^(any|read-write|read-only|primary|standby|prefer-standby)$/,
  connect_timeout: /^-?\d{1,9}$/,
};

/**
 * Parses an address as PostgreSQL's own programs do. Multiple hosts with their ports are separated by commas or listed
 * in the parameters `host` and `port`. Throws an error whose message contains no part of the address.
 */
export function parseDatabaseAddress(text: string): DatabaseAddress {
  const match = shape.exec(text);
  if (!match) throw new Error('must be a PostgreSQL address such as postgres://user@host/name');
  const [, protocol = '', login = '', list = '', path = '', query = ''] = match;
  const parameters = new URLSearchParams(query);
  assertKnown(parameters);
  const colon = login.indexOf(':');
  const address = {
    protocol,
    user: decode(colon < 0 ? login : login.slice(0, colon)),
    password: colon < 0 ? '' : decode(login.slice(colon + 1)),
    hosts: readHosts(list, parameters),
    path,
    parameters,
  };
  parameters.delete('host');
  parameters.delete('port');
  return address;
}

function assertKnown(parameters: URLSearchParams): void {
  for (const [name, known] of Object.entries(parameterShapes)) {
    if (parameters.getAll(name).every((value) => known.test(value))) continue;
    throw new Error(`has an invalid value for ${name}`);
  }
}

function readHosts(list: string, parameters: URLSearchParams): DatabaseHost[] {
  const named = parameters.get('host');
  const hosts = (named ?? list) === '' ? [] : (named ?? list).split(',');
  const ports = parameters.get('port')?.split(',') ?? [];
  return hosts.map((text, index) => {
    // In the parameter `host`, IPv6 addresses have no brackets, and ports are separate.
    const [, six, name = '', port] = (named === null ? hostShape.exec(text) : ['', text]) ?? [];
    const host = six ?? (named === null ? decode(name) : text).replace(/^\[(.*)\]$/, '$1');
    if (host === '') throw new Error('has an invalid host');
    const number = port ?? (ports.length === 1 ? ports[0] : ports[index]);
    return { host, port: number === undefined || number === '' ? undefined : readPort(number) };
  });
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port > 0 && port <= greatestPort) return port;
  throw new Error('has an invalid port');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('has an invalid percent encoding; write a percent sign as %25');
  }
}

/** Returns the address for messages, without the password and the parameters, which may contain a password. */
export function describeDatabaseAddress(text: string): string {
  const { protocol, user, hosts, path } = parseDatabaseAddress(text);
  const list = hosts.map(({ host, port }) => writeHost(host, port));
  return `${protocol}//${user ? `${encodeURIComponent(user)}@` : ''}${list.join(',')}${path}`;
}

/** Returns a host and its port in the format of an address. */
export function writeHost(host: string, port: number | undefined): string {
  const name = host.startsWith('/')
    ? encodeURIComponent(host)
    : host.includes(':')
      ? `[${host}]`
      : host;
  return port === undefined ? name : `${name}:${port}`;
}
