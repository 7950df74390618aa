import {
  createScanner,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { type Subscription as Entry, Subscriptions as matchesSchema } from '#validators/webhooks';
import type { Environment } from '../../base/environment.js';
import { AppError, type ErrorDetail } from '../../base/errors.js';
import { deepestJson } from '../../json/bounds.js';
import { createSigningKey, type SigningKey } from '../signature.js';
import { identify, type Subscription, withoutCredentials } from './subscription.js';

/** A violated rule and where in the text it is. */
interface Fault {
  readonly offset: number;
  readonly message: string;
}

interface Source {
  /** The file's name, for messages. */
  readonly file: string;
  readonly text: string;
  readonly environment: Environment;
}

const environmentPrefix = 'env:';
/** Faults that are told of one file. */
const shownFaults = 100;
/** Violated rules whose places are looked for, which takes time for each. */
const placedFaults = 1_000;

/**
 * The subscriptions that the text of a webhooks.json defines. Throws one `configuration` error that
 * lists every fault with file, line, column and rule; no message shows a secret.
 */
export function parseSubscriptions({ file, text, environment }: Source): Subscription[] {
  const clean = text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text;
  if (clean.trim() === '')
    throw faultyFile(file, clean, [{ offset: 0, message: 'the file is empty' }]);
  const deep = tooDeepAt(clean);
  if (deep !== undefined) {
    const message = `nested more than ${deepestJson} levels deep`;
    throw faultyFile(file, clean, [{ offset: deep, message }]);
  }
  const errors: ParseError[] = [];
  const tree = parseTree(clean, errors, { disallowComments: true, allowTrailingComma: false });
  if (!tree || errors.length > 0) throw faultyFile(file, clean, errors.map(syntaxFault));
  const value: unknown = getNodeValue(tree);
  const { keys, faults: secretFaults } = resolveSecrets(tree, value, environment);
  const faults = [
    ...duplicateKeys(tree),
    ...schemaFaults(tree, value),
    ...addressFaults(tree, value),
    ...secretFaults,
  ];
  if (faults.length > 0) throw faultyFile(file, clean, faults);
  const entries = value as readonly Entry[]; // The schema has just said so.
  const ids = identify(entries.map(identityOf));
  return entries.map(({ url, events }, index) => ({
    id: ids[index] ?? '',
    url,
    displayUrl: withoutCredentials(url),
    events,
    key: keys[index] ?? null,
  }));
}

function identityOf({ url, events, secret }: Entry) {
  const named = secret?.startsWith(environmentPrefix) ?? false;
  return { url, events, secretName: named && secret ? secret : null };
}

/** Where the text goes too deep: reading it recurses once a level, so that is found out before. */
function tooDeepAt(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let level = 0;
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const first = text[scanner.getTokenOffset()] ?? '';
    if ('[{'.includes(first)) level += 1;
    else if (']}'.includes(first)) level -= 1;
    if (level > deepestJson) return scanner.getTokenOffset();
  }
  return undefined;
}

function syntaxFault({ error, offset }: ParseError): Fault {
  const words = printParseErrorCode(error)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return { offset, message: `not valid JSON: ${words}` };
}

function duplicateKeys(node: Node, path = ''): Fault[] {
  const children = node.children ?? [];
  if (node.type === 'array') {
    return children.flatMap((child, index) => duplicateKeys(child, `${path}/${index}`));
  }
  if (node.type !== 'object') return [];
  const seen = new Set<unknown>();
  return children.flatMap(({ offset, children: pair = [] }) => {
    const [key, value] = pair;
    const inside = value ? duplicateKeys(value, `${path}/${String(key?.value)}`) : [];
    if (!seen.has(key?.value)) {
      seen.add(key?.value);
      return inside;
    }
    return [{ offset, message: `${path}/${String(key?.value)} is given twice` }, ...inside];
  });
}

function schemaFaults(tree: Node, value: unknown): Fault[] {
  if (matchesSchema(value)) return [];
  const errors = (matchesSchema.errors ?? []).slice(0, placedFaults);
  return errors.map(({ instancePath, keyword, message, params }) => {
    const extra: unknown = params.additionalProperty;
    const path = typeof extra === 'string' ? `${instancePath}/${extra}` : instancePath;
    return {
      offset: nodeAt(tree, path).offset,
      message: `${path || 'the file'} ${ruleInWords(keyword, params) ?? message ?? 'is wrong'} (${keyword})`,
    };
  });
}

function ruleInWords(keyword: string, params: Record<string, unknown>): string | undefined {
  if (keyword === 'enum') return `must be one of ${listOf(params.allowedValues)}`;
  if (keyword === 'additionalProperties') return 'is not a property of a subscription';
  if (keyword === 'pattern') return 'must be an address that begins with http:// or https://';
  if (keyword === 'type') return typeInWords(String(params.type));
  if (keyword === 'minItems') return 'must not be empty';
  if (keyword === 'maxItems') return `must have at most ${String(params.limit)} entries`;
  if (keyword === 'maxLength') return `must have at most ${String(params.limit)} characters`;
  if (keyword === 'minLength') return 'must not be empty';
  if (keyword === 'required') return `lacks "${String(params.missingProperty)}"`;
  return undefined;
}

function typeInWords(type: string): string {
  if (type === 'array') return 'must be a list';
  return type === 'string' ? 'must be text' : `must be an ${type}`;
}

function listOf(values: unknown): string {
  return Array.isArray(values) ? values.join(', ') : String(values);
}

function addressFaults(tree: Node, value: unknown): Fault[] {
  return textsOf(value, 'url').flatMap((url, index) => {
    // What does not even begin like an address, the schema has reported.
    if (url === undefined || !/^https?:/i.test(url) || URL.canParse(url)) return [];
    const path = `/${index}/url`;
    return [{ offset: nodeAt(tree, path).offset, message: `${path} is no valid URL` }];
  });
}

/** The signing keys of the entries, in their order, and what is wrong with the secrets. */
function resolveSecrets(tree: Node, value: unknown, environment: Environment) {
  const faults: Fault[] = [];
  const keys = textsOf(value, 'secret').map((secret, index): SigningKey | null => {
    if (secret === undefined) return null;
    try {
      return createSigningKey(secretValue(secret, environment));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const path = `/${index}/secret`;
      faults.push({ offset: nodeAt(tree, path).offset, message: `${path}: ${error.message}` });
      return null;
    }
  });
  return { keys, faults };
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

/** The node a JSON Pointer leads to, or the nearest one above it. */
function nodeAt(tree: Node, pointer: string): Node {
  let node = tree;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    const next =
      node.type === 'array'
        ? node.children?.[Number(key)]
        : node.children?.find(({ children }) => children?.[0]?.value === key)?.children?.[1];
    if (!next) return node;
    node = next;
  }
  return node;
}

function faultyFile(file: string, text: string, faults: readonly Fault[]): AppError {
  const inOrder = [...faults].sort((a, b) => a.offset - b.offset);
  const details: ErrorDetail[] = inOrder
    .slice(0, shownFaults)
    .map(({ offset, message }) => ({ path: `${file}:${positionOf(text, offset)}`, message }));
  const more = inOrder.length - details.length;
  if (more > 0) details.push({ path: file, message: `and at least ${more} more` });
  return new AppError('configuration', `The webhook subscriptions in ${file} are faulty.`, {
    details,
    hint: 'Mend the lines named above; docs/webhooks.md describes the file.',
  });
}

/** `line:column`, both from 1. */
function positionOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}
