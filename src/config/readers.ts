import { resolve } from 'node:path';
import { isLoopback, parseProxyRange } from '../base/addresses.js';
import { parseDatabaseAddress } from '../base/database-address.js';
import { trimEndOf } from '../base/trim-end.js';

/** Converts the text of a setting to its value, or throws an Error with a message that states what is valid. */
export type Reader<Value> = (text: string, cwd: string) => Value;

/** A TCP port; with 0, the system selects a free one. */
export const port: Reader<number> = (text) => {
  const value = Number(text);
  if (!/^\d{1,5}$/.test(text) || value > 65_535)
    throw new Error('must be a port number from 0 to 65535');
  return value;
};

export const hostName: Reader<string> = (text) => {
  const name = text.replace(/^\[(.*)\]$/, '$1');
  if (!/^[\w.:%-]+$/.test(name)) throw new Error('must be a host name or an IP address');
  return name;
};

/** A path, resolved against the working directory. */
export const path: Reader<string> = (text, cwd) => {
  // An empty path is often an unset variable in a script, and must not mean the working directory.
  if (text === '') throw new Error('must name a file or folder');
  return resolve(cwd, text);
};

/** A secret. White space alone is rejected. */
export const secret: Reader<string> = (value) => {
  if (value.trim() === '') throw new Error('must not be empty or only white space');
  return value;
};

/** Minimum length of a secret, in characters. A shorter one can be guessed. @bound */
export const minSecretLength = 16;

/** The secret of the admin endpoints. It must be long enough to be hard to guess. */
export const adminToken: Reader<string> = (value) => {
  // Surrounding spaces are not counted, because they are removed from headers.
  if ([...value.trim()].length < minSecretLength) {
    throw new Error(
      `must be at least ${minSecretLength} characters long; \`openssl rand -hex 24\` generates a suitable one`,
    );
  }
  return value;
};

/** One of these words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): Reader<Word> {
  return (value) => {
    const word = words.find((known) => known === value);
    if (word === undefined) throw new Error(`must be ${words.join(' or ')}`);
    return word;
  };
}

export const onOff: Reader<boolean> = (value, cwd) => oneOf('on', 'off')(value, cwd) === 'on';

/** A number of seconds, with or without a fraction. The value is in milliseconds. */
export function seconds({ above, upTo }: { above: number; upTo: number }): Reader<number> {
  return (value) => {
    const number = Number(value);
    if (value.trim() === '' || !(number > above && number <= upTo)) {
      throw new Error(`must be a number of seconds, more than ${above} and at most ${upTo}`);
    }
    return number * 1000;
  };
}

/** A time of day such as `04:00`, or `off` (null). */
export const timeOfDay: Reader<string | null> = (value) => {
  if (value === 'off') return null;
  if (/^([01]\d|2[0-3]):[0-5]\d$/.test(value)) return value;
  throw new Error('must be a time of day from 00:00 to 23:59, such as 04:00, or off');
};

/** A list of pauses in seconds, such as `0,5,30`. The values are in milliseconds. */
export const pauses: Reader<readonly number[]> = (value) => {
  const numbers = value.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (numbers.length > 20 || numbers.some((number) => !(number >= 0 && number <= 86_400))) {
    throw new Error(
      'must be a list of 1 to 20 numbers of seconds, each from 0 to 86400, such as 0,5,30',
    );
  }
  return numbers.map((number) => number * 1000);
};

export function number({ from, to }: { from: number; to: number }): Reader<number> {
  return (value) => {
    const result = Number(value);
    if (value.trim() === '' || !(result >= from && result <= to)) {
      throw new Error(`must be a number from ${from} to ${to}`);
    }
    return result;
  };
}

export function integer(range: { from: number; to: number }): Reader<number> {
  return (value) => {
    if (!/^\d+$/.test(value))
      throw new Error(`must be a whole number from ${range.from} to ${range.to}`);
    return number(range)(value, '');
  };
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** A duration such as `7d`, `12h`, `30m` or `45s`. The value is in seconds. */
export const duration: Reader<number> = (value) => {
  const match = /^([1-9]\d{0,5})([smhd])$/.exec(value);
  const unit = unitSeconds[match?.[2] ?? ''];
  if (!match || !unit) throw new Error('must be a duration such as 7d, 12h, 30m or 45s');
  return Number(match[1]) * unit;
};

/** A duration such as `7d`, or `forever`. The value is in seconds; `forever` is Infinity. */
export function retention({ atLeast }: { atLeast: string }): Reader<number> {
  return (value, cwd) => {
    if (value === 'forever') return Number.POSITIVE_INFINITY;
    const seconds = duration(value, cwd);
    if (seconds < duration(atLeast, cwd))
      throw new Error(`must be ${atLeast} or longer, or forever`);
    return seconds;
  };
}

/** A web address without query or fragment. A trailing slash is removed. */
export const webAddress: Reader<string> = (value) => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    throw new Error('must be an http or https address such as https://shop.example');
  }
  return trimEndOf(url.href, '/');
};

/**
 * The address of a gateway, which may have a path. A trailing slash is removed. Only an address of this machine may be
 * unencrypted, because a cashier's session is sent to it.
 */
export const gatewayAddress: Reader<string> = (value) => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isPlain = url && !url.username && !url.password && !/[?#]/.test(value);
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new Error(
      'must be an https address such as https://pay.example.kz, without a user name, password, query or fragment',
    );
  }
  if (url.protocol === 'http:' && !isThisMachine(url.hostname)) {
    throw new Error(
      'must be an https address, because others can read a session sent over http; http is allowed only for a gateway on this machine (localhost, 127.0.0.1, [::1])',
    );
  }
  return trimEndOf(url.href, '/');
};

/** Returns whether a host is this machine. Names under `.localhost` may resolve to other machines. */
function isThisMachine(host: string): boolean {
  return isLoopback(host) && !/\.localhost\.?$/i.test(host);
}

/** The connection string of a PostgreSQL database on one or more hosts. */
export const databaseAddress: Reader<string> = (value) => {
  parseDatabaseAddress(value);
  return value;
};

/** A comma-separated list of words. Empty words are ignored. */
export const list: Reader<readonly string[]> = (value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Origins of web pages in the form that browsers send: scheme, host and port. */
export const origins: Reader<readonly string[]> = (value, cwd) =>
  list(value, cwd).map((part) => {
    if (!URL.canParse(part) || new URL(part).origin !== part) {
      throw new Error(`must be origins such as https://shop.example, not ${part}`);
    }
    return part;
  });

export const proxyRanges: Reader<readonly string[]> = (value, cwd) =>
  list(value, cwd).map((part) => {
    try {
      parseProxyRange(part);
    } catch {
      throw new Error(`must be addresses or ranges such as 10.0.0.0/8, not ${part}`);
    }
    return part;
  });

/** Zones that are accepted without loading the time zone data, which would take most of a command's startup time. */
const knownZones = new Set(['Asia/Almaty', 'UTC']);

export const timeZone: Reader<string> = (value) => {
  if (knownZones.has(value)) return value;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return value;
  } catch {
    throw new Error('must be a time zone such as Asia/Almaty');
  }
};

/** Returns whether the provider setting names a code module. */
export function isProviderModule(value: string): boolean {
  return value !== 'sandbox' && !/^https?:/.test(value);
}

/** `sandbox`, the address of an upstream, or the path of a module. */
export const provider: Reader<string> = (value, cwd) => {
  if (value === 'sandbox') return value;
  if (!isProviderModule(value)) return webAddress(value, cwd);
  if (/^[a-z][\w+.-]*:/i.test(value)) {
    throw new Error('must be sandbox, an http or https address, or the path of a module');
  }
  return resolve(cwd, value);
};
