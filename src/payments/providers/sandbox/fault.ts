import { AppError } from '../../../base/errors.js';
import { operationNames, providerOperations } from '../provider.js';
import { type FaultDefinition, type FaultName, faultDefinitions } from './fault-list.js';

/** An active fault. */
export interface Fault {
  readonly name: FaultName;
  /** The specified or default value; empty if the fault has none. */
  readonly value: string;
  /** The operation as written; empty for the default operations. */
  readonly at: string;
  /** The number of calls that it still affects. */
  readonly left: number;
}

const syntax = 'NAME[=VALUE][@OPERATION][xCOUNT], such as late=15@qr/create or "lost x1"';
const names = Object.keys(faultDefinitions);

/** Maximum number of active faults. */
const maxFaults = 50;
/** Maximum length of a fault's value, in characters. */
const maxValueLength = 100;
/** Maximum number in a fault's value, in seconds or tenge. */
const maxNumber = 86_400;

const form = /^([a-z-]+)(?:=([^@]*))?(?:@([a-z/-]+))?$/;
const countAtEnd = /x([1-9]\d{0,5})$/;

/**
 * Parses faults in the form `NAME[=VALUE][@OPERATION][xCOUNT]`, such as `late=15`, `lost@qr/create` or `twice x1`. An
 * operation is a path of the protocol, or its first or last part (`@refunds`, `@create`). Throws a `usage` error for an
 * invalid fault.
 */
export function readFaults(texts: readonly string[]): readonly Fault[] {
  if (texts.length > maxFaults)
    throw wrong(`${texts.length} faults are too many`, `Use at most ${maxFaults}`);
  return texts.map(readFault);
}

function readFault(text: string): Fault {
  const trimmed = text.trim();
  const [end = '', count] = countAtEnd.exec(trimmed) ?? [];
  const parts = form.exec(trimmed.slice(0, trimmed.length - end.length).trimEnd());
  if (!parts)
    throw wrong(`"${text.slice(0, maxValueLength)}" is not a valid fault`, `Write ${syntax}`);
  const [, name = '', specified, at = ''] = parts;
  const definition = definitionOf(name);
  const { value, usual = '', lasts } = definition ?? {};
  if (!definition) throw wrong(`Unknown fault "${name}"`, `Use one of ${names.join(', ')}`);
  if (specified !== undefined && value === undefined) {
    throw wrong(`The fault ${name} does not accept a value`, `Write ${name}`);
  }
  if (specified !== undefined && !isValue(definition, specified)) {
    const invalid = specified.slice(0, maxValueLength);
    throw wrong(`Invalid value "${invalid}" for the fault ${name}`, `Use ${valuesOf(definition)}`);
  }
  if (lasts && (at || count)) {
    throw wrong(`The fault ${name} accepts neither an operation nor a count`, `Write ${name}`);
  }
  if (at && pathsAt(at).length === 0) {
    const paths = operationNames.map((operation) => providerOperations[operation].path);
    throw wrong(`Unknown operation ${at}`, `Use one of ${paths.join(', ')}, or a part of one`);
  }
  const left = count === undefined ? Number.POSITIVE_INFINITY : Number(count);
  return { name: name as FaultName, value: specified ?? usual, at, left }; // It has a definition.
}

/** Returns the fault as text, with its remaining count. */
export function writeFault({ name, value, at, left }: Fault): string {
  const count = Number.isFinite(left) ? ` x${left}` : '';
  return `${name}${value && `=${value}`}${at && `@${at}`}${count}`;
}

/** Returns whether a fault affects calls to a path of the protocol. */
export function isAt({ name, at }: Fault, path: string): boolean {
  if (at) return pathsAt(at).includes(path);
  const { operations } = definitionOf(name) ?? {};
  if (operations === undefined) return true;
  return (operations === 'create' ? creations : statuses).includes(path);
}

const creations = ['qr/create', 'invoices/create', 'refunds/create'];
const statuses = ['qr/status', 'invoices/details'];

/** Returns the paths that are equal to a word or that begin or end with it. */
function pathsAt(word: string): readonly string[] {
  if (word === 'status') return statuses;
  return operationNames
    .map((operation) => providerOperations[operation].path)
    .filter((path) => path === word || path.split('/').includes(word));
}

function definitionOf(name: string): FaultDefinition | undefined {
  return Object.hasOwn(faultDefinitions, name) ? faultDefinitions[name as FaultName] : undefined;
}

function isValue({ value }: FaultDefinition, text: string): boolean {
  if (typeof value === 'object') return value.includes(text);
  if (value === 'text') return text !== '' && text.length <= maxValueLength;
  const number = /^-?\d{1,9}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
  const isSigned = value !== 'seconds';
  return Math.abs(number) <= maxNumber && (isSigned || number >= 0);
}

function valuesOf({ value }: FaultDefinition): string {
  if (typeof value === 'object') return `one of ${value.join(', ')}`;
  if (value === 'text') return `text of at most ${maxValueLength} characters`;
  return `a number of ${value === 'tenge' ? 'tenge' : 'seconds'}, at most ${maxNumber}`;
}

function wrong(problem: string, fix: string): AppError {
  return new AppError('usage', `${problem}. ${fix}.`, {
    hint: `The syntax of a fault (--fault, MSGSITE_SANDBOX_FAULTS, /control/faults) is ${syntax}. msgsite sandbox --fault list describes all faults.`,
  });
}

/** The faults of a call or of the sandbox. */
export type ActiveFaults = ReturnType<typeof activeFaults>;

/** The active faults of a sandbox. */
export type FaultsInForce = ReturnType<typeof createFaultsInForce>;

/** Throws a `usage` error for an invalid fault. */
export function createFaultsInForce(texts: readonly string[]) {
  let faults = readFaults(texts);
  return {
    ...activeFaults(() => faults),
    /** Returns the faults of a call to this path and decrements their counts. */
    take(path: string): ActiveFaults {
      const taken = faults.filter((fault) => isAt(fault, path));
      faults = faults
        .map((fault) => (taken.includes(fault) ? { ...fault, left: fault.left - 1 } : fault))
        .filter(({ left }) => left > 0);
      return activeFaults(() => taken);
    },
    /** Returns the faults as text, with their remaining counts. */
    list: () => faults.map(writeFault),
    /** Replaces the faults. Throws a `usage` error for an invalid one. */
    set(next: readonly string[]): void {
      faults = readFaults(next);
    },
  };
}

/** Creates the lookup of faults by name. If several faults have the same name, the first one applies. */
function activeFaults(faults: () => readonly Fault[]) {
  const find = (name: FaultName) => faults().find((each) => each.name === name);
  return {
    has: (name: FaultName) => find(name) !== undefined,
    /** Returns the fault's value; undefined if it is not active. */
    valueOf: (name: FaultName) => find(name)?.value,
  };
}
