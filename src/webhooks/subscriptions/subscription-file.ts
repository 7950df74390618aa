import { Subscriptions as matchesSchema } from '#validators/webhooks';
import type { Environment } from '../../base/environment.js';
import { AppError, type ErrorDetail } from '../../base/errors.js';
import { deepestJson } from '../../json/bounds.js';
import { tooDeepAt } from '../../json/depth.js';
import { findDuplicateKeys } from '../../json/duplicate-keys.js';
import { findInText } from '../../json/find-in-text.js';
import { createLineIndex } from '../../json/lines.js';
import { parseText, withoutMark } from '../../json/strict-parse.js';
import { findSyntaxFault } from '../../json/syntax-fault.js';
import { describeViolation } from '../../json/violations.js';
import { createSigningKey, type SigningKey } from '../signature.js';
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
  return data.map(({ url, events, secret }, index) => ({
    id: ids[index] ?? '',
    url,
    displayUrl: withoutCredentials(url),
    events,
    key: keyOf(secret, environment),
  }));
}

function schemaFaults(errors: typeof matchesSchema.errors): Wrong[] {
  return (errors ?? []).slice(0, locatedFaults).map((error) => {
    const { path, message } = describeViolation(error);
    return { path, message: `${path || 'the file'} ${message} (${error.keyword})` };
  });
}

function addressFaults(value: unknown): Wrong[] {
  return textsOf(value, 'url').flatMap((url, index) => {
    // What does not even begin like an address, the schema has reported.
    if (url === undefined || !/^https?:/i.test(url) || URL.canParse(url)) return [];
    const path = `/${index}/url`;
    return [{ path, message: `${path} is no valid URL` }];
  });
}

function secretFaults(value: unknown, environment: Environment): Wrong[] {
  return textsOf(value, 'secret').flatMap((secret, index) => {
    try {
      keyOf(secret, environment);
      return [];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const path = `/${index}/secret`;
      return [{ path, message: `${path}: ${error.message}` }];
    }
  });
}

/** The key of an entry's secret; null where it has none. Throws a `configuration` error. */
function keyOf(secret: string | undefined, environment: Environment): SigningKey | null {
  return secret === undefined ? null : createSigningKey(secretValue(secret, environment));
}

/** One property of each entry, where it is text: the rest may still break the schema. */
function textsOf(value: unknown, name: 'url' | 'secret'): (string | undefined)[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  return entries.map((entry) => {
    const text: unknown = Object(entry)[name];
    return typeof text === 'string' ? text : undefined;
  });
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
