import { Subscriptions as matchesSchema } from '#validators/webhooks';
import type { Environment } from '../../base/environment.js';
import { AppError, type ErrorDetail } from '../../base/errors.js';
import { deepestJson } from '../../json/bounds.js';
import { tooDeepAt } from '../../json/depth.js';
import { findDuplicateKeys } from '../../json/duplicate-keys.js';
import { findInText } from '../../json/find-in-text.js';
import { createLineIndex } from '../../json/lines.js';
import { pointer } from '../../json/pointers.js';
import { parseText, withoutMark } from '../../json/strict-parse.js';
import { findSyntaxFault } from '../../json/syntax-fault.js';
import { describeViolation } from '../../json/violations.js';
import { createSigningKey, mostSecrets, type SigningKey } from '../signature.js';
import { headerFaultsOf } from './extra-headers.js';
import {
  environmentPrefix,
  identify,
  type Subscription,
  withoutCredentials,
} from './subscription.js';

/** A violated rule and where in the text it is. */
interface Fault {
  readonly offset: number;
  readonly message: string;
}

/** The same, by JSON Pointer. */
interface Wrong {
  readonly path: string;
  readonly message: string;
}

interface Source {
  /** The file's name, for messages. */
  readonly file: string;
  readonly text: string;
  readonly environment: Environment;
}

/** Faults of one file that are reported. */
const shownFaults = 100;
/** Violated rules whose positions are searched for, which takes time for each. */
const locatedFaults = 1_000;

/**
 * The subscriptions that the text of a webhooks.json defines. Throws one `configuration` error that
 * lists every fault with file, line, column and rule; no message shows a secret.
 */
export function parseSubscriptions({ file, text: given, environment }: Source): Subscription[] {
  const text = withoutMark(given);
  const deep = tooDeepAt(text);
  if (deep !== undefined) {
    const message = `nested more than ${deepestJson} levels deep`;
    throw faultyFile(file, text, [{ offset: deep, message }]);
  }
  const parsed = parseText(text);
  if (!parsed.ok) throw faultyFile(file, text, [findSyntaxFault(text, parsed.reason)]);
  const { data, duplicates } = parsed;
  const isSound = matchesSchema(data);
  const all = [
    ...schemaFaults(matchesSchema.errors),
    ...addressFaults(data),
    ...secretFaults(data, environment),
    ...headerFaults(data),
  ];
  const ranges = findInText(text, all, !duplicates);
  const faults: Fault[] = all.map(({ message }, index) => ({
    offset: ranges[index]?.offset ?? 0,
    message,
  }));
  if (duplicates) {
    findDuplicateKeys(text, ({ range, path }) => {
      faults.push({ offset: range.offset, message: `${path()} is given twice` });
    });
  }
  if (faults.length > 0 || !isSound) throw faultyFile(file, text, faults);
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

function schemaFaults(errors: typeof matchesSchema.errors): Wrong[] {
  return (errors ?? []).slice(0, locatedFaults).map((error) => {
    const { path, message } = describeViolation(error);
    return { path, message: `${path || 'the file'} ${message} (${error.keyword})` };
  });
}

function addressFaults(value: unknown): Wrong[] {
  return valuesOf(value, 'url').flatMap((url, index) => {
    // What does not even begin like an address, the schema has reported.
    if (typeof url !== 'string' || !/^https?:/i.test(url) || URL.canParse(url)) return [];
    const path = `/${index}/url`;
    return [{ path, message: `${path} is no valid URL` }];
  });
}

function secretFaults(value: unknown, environment: Environment): Wrong[] {
  return valuesOf(value, 'secret').flatMap((given, index) => {
    const path = `/${index}/secret`;
    if (!Array.isArray(given)) return secretFault(path, given, environment);
    const list: readonly unknown[] = given;
    return list
      .slice(0, mostSecrets)
      .flatMap((each, position) => secretFault(`${path}/${position}`, each, environment));
  });
}

/** What is wrong with one secret, where it is text: the rest may still break the schema. */
function secretFault(path: string, secret: unknown, environment: Environment): Wrong[] {
  if (typeof secret !== 'string') return [];
  try {
    keyOf(secret, environment);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [{ path, message: `${path}: ${error.message}` }];
  }
}

function headerFaults(value: unknown): Wrong[] {
  return valuesOf(value, 'headers').flatMap((headers, index) => {
    if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return [];
    const faults = headerFaultsOf({ ...headers }).slice(0, locatedFaults);
    return faults.map(({ name, message }) => {
      const path = pointer(index, 'headers', ...(name === undefined ? [] : [name]));
      return { path, message: `${path} ${message}` };
    });
  });
}

/** The key of a secret. Throws a `configuration` error. */
function keyOf(secret: string, environment: Environment): SigningKey {
  return createSigningKey(secretValue(secret, environment));
}

/** One property of each entry, whatever it is: it may still break the schema. */
function valuesOf(value: unknown, name: 'url' | 'secret' | 'headers'): unknown[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  return entries.map((entry) => Object(entry)[name]);
}

/** A secret as it is meant: itself, or with `env:NAME` the value of that variable. */
export function secretValue(secret: string, environment: Environment): string {
  if (!secret.startsWith(environmentPrefix)) return secret;
  const name = secret.slice(environmentPrefix.length);
  const value = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? environment[name] : undefined;
  if (value) return value;
  throw new AppError('configuration', `The environment variable ${name} is not set.`, {
    hint: 'Set it, or put it into the .env file.',
  });
}

function faultyFile(file: string, text: string, faults: readonly Fault[]): AppError {
  const inOrder = [...faults].sort((a, b) => a.offset - b.offset);
  const lines = createLineIndex(text);
  const details: ErrorDetail[] = inOrder.slice(0, shownFaults).map(({ offset, message }) => {
    const { line, column } = lines.position({ offset, length: 1 });
    return { path: `${file}:${line}:${column}`, message };
  });
  const more = inOrder.length - details.length;
  if (more > 0) details.push({ path: file, message: `and at least ${more} more` });
  return new AppError('configuration', `The webhook subscriptions in ${file} are faulty.`, {
    details,
    hint: 'Correct the lines named above; docs/webhooks.md describes the file.',
  });
}
