import {
  type Subscription as Entry,
  type Filter,
  Subscriptions as matchesSchema,
} from '#validators/webhooks';
import type { Environment } from '../../base/environment.js';
import { AppError } from '../../base/errors.js';
import { digest } from '../../events/event.js';
import type { Subscription as EventSubscription } from '../../events/subscription.js';
import { type PointedFault, readCheckedJson } from '../../json/checked-file.js';
import { pointer } from '../../json/pointers.js';
import { createSigningKey, maxSecrets, type SigningKey } from '../signature.js';

/** An entry of webhooks.json. */
export interface Subscription extends EventSubscription {
  /** The first key signs `X-Webhook-Signature`, all sign `webhook-signature`. Without keys, nothing is signed. */
  readonly keys: readonly SigningKey[];
  /** Additional request headers. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Source {
  /** The file's name, for messages. */
  readonly file: string;
  readonly text: string;
  readonly environment: Environment;
}

/**
 * Parses the text of a webhooks.json. Throws one `configuration` error that lists every fault with file, line, column
 * and rule. Messages never contain secrets.
 */
export function parseSubscriptions({ file, text, environment }: Source): Subscription[] {
  const data = readCheckedJson({
    file,
    text,
    what: 'The webhook subscriptions',
    hint: 'Correct the lines listed above; docs/payments/webhooks.md describes the file.',
    isSound: matchesSchema,
    looseFaults: (value) => [
      ...addressFaults(value),
      ...secretFaults(value, environment),
      ...headerFaults(value),
    ],
  });
  const ids = identify(data);
  return data.map(({ url, events, secret, enabled = true, headers = {}, filter = {} }, index) => ({
    id: ids[index] ?? '',
    url,
    displayUrl: withoutCredentials(url),
    events,
    keys: secret === undefined ? [] : [secret].flat().map((each) => keyOf(each, environment)),
    enabled,
    headers,
    filter,
  }));
}

/** The prefix of a secret that names an environment variable. */
const environmentPrefix = 'env:';

/**
 * Returns IDs for the entries of a file, in its order. An ID is derived from address, events (in any order), filter and
 * the name of the secret's variable, never from the secret. If there are several secrets, the last and oldest one is
 * used, so that adding a new one before it does not change the ID. Entries that are equal in all of these are numbered.
 */
export function identify(entries: readonly Entry[]): string[] {
  const seen = new Map<string, number>();
  return entries.map(({ url, events, secret, filter }) => {
    const oldest = [secret].flat().at(-1);
    const variable = oldest?.startsWith(environmentPrefix) ? oldest : '';
    const parts = [url, ...[...events].sort(), variable, ...filterParts(filter)];
    const base = digest(parts).slice(0, 16);
    const before = seen.get(base) ?? 0;
    seen.set(base, before + 1);
    return before === 0 ? `sub_${base}` : `sub_${base}_${before + 1}`;
  });
}

/** Returns the parts of an ID that represent a filter; none without a filter. */
function filterParts({ types = [], organizations = [] }: Filter = {}): string[] {
  if (types.length === 0 && organizations.length === 0) return [];
  return [JSON.stringify([[...types].sort(), organizations.map(String).sort()])];
}

/** Returns an address without user name and password. */
export function withoutCredentials(url: string): string {
  const parsed = new URL(url);
  if (parsed.username === '' && parsed.password === '') return url;
  parsed.username = '';
  parsed.password = '';
  return parsed.href;
}

function addressFaults(value: unknown): PointedFault[] {
  return valuesOf(value, 'url').flatMap((url, index) => {
    // The schema reports other values.
    if (typeof url !== 'string' || !/^https?:/i.test(url) || URL.canParse(url)) return [];
    const path = `/${index}/url`;
    return [{ path, message: `${path} is not a valid URL` }];
  });
}

function secretFaults(value: unknown, environment: Environment): PointedFault[] {
  return valuesOf(value, 'secret').flatMap((secret, index) => {
    const path = `/${index}/secret`;
    if (!Array.isArray(secret)) return secretFault(path, secret, environment);
    const list: readonly unknown[] = secret;
    return list
      .slice(0, maxSecrets)
      .flatMap((each, position) => secretFault(`${path}/${position}`, each, environment));
  });
}

/** Returns the fault of a secret. Ignores values of other types, which the schema reports. */
function secretFault(path: string, secret: unknown, environment: Environment): PointedFault[] {
  if (typeof secret !== 'string') return [];
  try {
    keyOf(secret, environment);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [{ path, message: `${path}: ${error.message}` }];
  }
}

function headerFaults(value: unknown): PointedFault[] {
  return valuesOf(value, 'headers').flatMap((headers, index) => {
    if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return [];
    return headerFaultsOf({ ...headers }).map(({ name, message }) => {
      const path = pointer(index, 'headers', ...(name === undefined ? [] : [name]));
      return { path, message: `${path} ${message}` };
    });
  });
}

/** Returns the key of a secret. Throws a `configuration` error. */
function keyOf(secret: string, environment: Environment): SigningKey {
  return createSigningKey(secretValue(secret, environment));
}

/** Returns one property of each entry, which may have any type. */
function valuesOf(value: unknown, name: 'url' | 'secret' | 'headers'): unknown[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  return entries.map((entry) => Object(entry)[name]);
}

/** Returns a secret, or the value of the variable that `env:NAME` names. */
export function secretValue(secret: string, environment: Environment): string {
  if (!secret.startsWith(environmentPrefix)) return secret;
  const name = secret.slice(environmentPrefix.length);
  const value = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? environment[name] : undefined;
  if (value) return value;
  throw new AppError('configuration', `The environment variable ${name} is not set.`, {
    hint: 'Set it, or add it to the .env file.',
  });
}

/** Maximum total size of the names and values of a subscription's headers, in bytes. */
const maxHeaderBytes = 8 * 1024;

/** Headers that msgsite sets, or that belong to a connection. */
const reserved = new Set([
  ...['content-type', 'content-length', 'content-encoding', 'host', 'user-agent'],
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'expect', 'http2-settings'],
]);

/** An HTTP token. */
const namePattern = /^[!#$%&'*+.^_`|~\w-]{1,100}$/;
/** Printable ASCII and tabs. */
const valuePattern = /^[\t -~]*$/;

/** A fault in a subscription's headers. */
interface HeaderFault {
  /** The header; undefined for all headers together. */
  readonly name?: string;
  readonly message: string;
}

/** Returns all faults in a subscription's headers. Messages do not contain values. */
function headerFaultsOf(headers: Readonly<Record<string, unknown>>): HeaderFault[] {
  const faults: HeaderFault[] = [];
  const seen = new Set<string>();
  let bytes = 0;
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    const message = faultOf(lower, value);
    if (message !== undefined) faults.push({ name, message });
    else if (seen.has(lower)) faults.push({ name, message: 'is given twice' });
    seen.add(lower);
    bytes += name.length + (typeof value === 'string' ? value.length : 0);
  }
  if (bytes > maxHeaderBytes) {
    faults.push({ message: `must have at most ${maxHeaderBytes / 1024} KB in total` });
  }
  return faults;
}

function faultOf(lowerName: string, value: unknown): string | undefined {
  if (!namePattern.test(lowerName)) return 'is not a valid header name';
  if (reserved.has(lowerName) || /^(x-)?webhook-/.test(lowerName)) {
    return 'is a header that msgsite sets itself';
  }
  // The schema reports other types.
  if (typeof value === 'string' && !valuePattern.test(value)) {
    return 'must be ASCII text without line breaks or other control characters';
  }
  return undefined;
}
