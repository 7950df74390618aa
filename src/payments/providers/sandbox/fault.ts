import { AppError } from '../../../base/errors.js';
import { operationNames, providerOperations } from '../provider.js';
import { type FaultDefinition, type FaultName, faultDefinitions } from './fault-list.js';

/** A fault in force. */
export interface Fault {
  readonly name: FaultName;
  /** As it was written, or the usual one; empty where the fault takes none. */
  readonly value: string;
  /** Whose calls it disturbs, as it was written; empty for the usual ones. */
  readonly at: string;
  /** Calls that are still to be disturbed. */
  readonly left: number;
}

const usualForm = 'NAME[=VALUE][@OPERATION][xCOUNT], such as late=15@qr/create or "lost x1"';
const names = Object.keys(faultDefinitions);

/** The most faults in force. */
const mostFaults = 50;
/** Characters of a fault's value. */
const longestValue = 100;
/** Seconds that a fault may wait. */
const longestWait = 86_400;

const form = /^([a-z-]+)(?:=([^@]*))?(?:@([a-z/-]+))?$/;
const countAtEnd = /x([1-9]\d{0,5})$/;

/**
 * Reads faults as people write them, `NAME[=VALUE][@OPERATION][xCOUNT]`: `late=15`, `lost@qr/create`,
 * `twice x1`. An operation is one of the protocol's, the first or last part of some (`@refunds`, `@create`).
 * Throws a `usage` error that says what is wrong and what would be right.
 */
export function readFaults(texts: readonly string[]): readonly Fault[] {
  if (texts.length > mostFaults)
    throw wrong(`${texts.length} faults are too many`, `${mostFaults} at most`);
  return texts.map(readFault);
}

function readFault(text: string): Fault {
  const trimmed = text.trim();
  const [end = '', count] = countAtEnd.exec(trimmed) ?? [];
  const parts = form.exec(trimmed.slice(0, trimmed.length - end.length).trimEnd());
  if (!parts) throw wrong(`"${text.slice(0, longestValue)}" is not written as a fault`, usualForm);
  const [, name = '', given, at = ''] = parts;
  const definition = definitionOf(name);
  const { value, usual = '', lasts } = definition ?? {};
  if (!definition) throw wrong(`"${name}" is no fault`, `one of ${names.join(', ')}`);
  if (given !== undefined && value === undefined) throw wrong(`${name} takes no value`, name);
  if (given !== undefined && !isValue(definition, given)) {
    throw wrong(`${name} cannot be "${given.slice(0, longestValue)}"`, valuesOf(definition));
  }
  if (lasts && (at || count)) throw wrong(`${name} takes no @operation and no count`, name);
  if (at && pathsAt(at).length === 0) {
    const paths = operationNames.map((operation) => providerOperations[operation].path);
    throw wrong(`There is no operation ${at}`, `one of ${paths.join(', ')}, or a part of one`);
  }
  const left = count === undefined ? Number.POSITIVE_INFINITY : Number(count);
  return { name: name as FaultName, value: given ?? usual, at, left }; // It has a definition.
}

/** The fault as people write it, with what is left of its count. */
export function writeFault({ name, value, at, left }: Fault): string {
  const count = Number.isFinite(left) ? ` x${left}` : '';
  return `${name}${value && `=${value}`}${at && `@${at}`}${count}`;
}

/** Whether a fault disturbs calls to a path of the protocol. */
export function isAt({ name, at }: Fault, path: string): boolean {
  if (at) return pathsAt(at).includes(path);
  const { operations } = definitionOf(name) ?? {};
  if (operations === undefined) return true;
  return (operations === 'create' ? creations : statuses).includes(path);
}

const creations = ['qr/create', 'invoices/create', 'refunds/create'];
const statuses = ['qr/status', 'invoices/details'];

/** The paths that a word means: itself, or those that begin or end with it. */
function pathsAt(word: string): readonly string[] {
  if (word === 'status') return statuses;
  return operationNames
    .map((operation) => providerOperations[operation].path)
    .filter((path) => path === word || path.split('/').includes(word));
}

function definitionOf(name: string): FaultDefinition | undefined {
  return Object.hasOwn(faultDefinitions, name) ? faultDefinitions[name as FaultName] : undefined;
}

function isValue({ value }: FaultDefinition, given: string): boolean {
  if (typeof value === 'object') return value.includes(given);
  if (value === 'text') return given !== '' && given.length <= longestValue;
  const number = /^-?\d{1,9}(\.\d{1,3})?$/.test(given) ? Number(given) : Number.NaN;
  const isSigned = value !== 'seconds';
  return Math.abs(number) <= longestWait && (isSigned || number >= 0);
}

function valuesOf({ value }: FaultDefinition): string {
  if (typeof value === 'object') return `one of ${value.join(', ')}`;
  if (value === 'text') return `text of at most ${longestValue} characters`;
  return `a number of ${value === 'tenge' ? 'tenge' : 'seconds'}, at most ${longestWait}`;
}

function wrong(what: string, right: string): AppError {
  return new AppError('usage', `${what}; it must be ${right}.`, {
    hint: `Faults (--fault, MSGSITE_SANDBOX_FAULTS, /control/faults) are written ${usualForm}. msgsite sandbox --fault list says what each of them does.`,
  });
}

/** The faults of one call, or those of the sandbox. */
export interface ActiveFaults {
  has(name: FaultName): boolean;
  /** The fault's value, where it is in force. */
  valueOf(name: FaultName): string | undefined;
}

/** What a sandbox does wrong at present. */
export interface FaultsInForce extends ActiveFaults {
  /** Those that disturb a call to this path; each that has a count has one less then. */
  take(path: string): ActiveFaults;
  /** As people write them, with the counts that are left. */
  list(): readonly string[];
  /** Replaces the faults. Throws a `usage` error for an invalid one. */
  set(texts: readonly string[]): void;
}

/** Throws a `usage` error for an invalid fault. */
export function createFaultsInForce(texts: readonly string[]): FaultsInForce {
  let faults = readFaults(texts);
  return {
    ...activeFaults(() => faults),
    take(path) {
      const taken = faults.filter((fault) => isAt(fault, path));
      faults = faults
        .map((fault) => (taken.includes(fault) ? { ...fault, left: fault.left - 1 } : fault))
        .filter(({ left }) => left > 0);
      return activeFaults(() => taken);
    },
    list: () => faults.map(writeFault),
    set(next) {
      faults = readFaults(next);
    },
  };
}

/** Of several faults of a name, the first counts. */
function activeFaults(faults: () => readonly Fault[]): ActiveFaults {
  const find = (wanted: FaultName) => faults().find(({ name }) => name === wanted);
  return { has: (name) => find(name) !== undefined, valueOf: (name) => find(name)?.value };
}
