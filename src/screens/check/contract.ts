import { ScreenDefinition, type Table } from '#screen-definition';
import { validate } from '#validators/screen';
import { exactPointer, isObject, parsePointer, pointer, valueAt } from '../../json/pointers.js';
import { listWords, type Problem, plural, type Remedies } from '../findings/finding.js';
import type { AddProblem } from '../findings/gather.js';
import {
  freeNames,
  nameRemedies,
  removal,
  replacement,
  wordRemedies,
} from '../findings/remedies.js';
import { didYouMean, quote } from '../text/quote.js';

type Violation = Parameters<Parameters<typeof validate>[1]['report']>[0];

/** Validates a parsed document against the schema, and adds each violation. */
export function checkContract(data: unknown, add: AddProblem): void {
  // Ajv checks the type first. If it is wrong, other violations by the same value are not reported.
  let wrongType: string | undefined;
  const unknownNames = Object.keys(isObject(data) ? data : {}).filter(
    (name) => !Object.hasOwn(ScreenDefinition.fields, name),
  );
  validate(data, {
    report(violation) {
      if (violation.keyword === 'type') wrongType = violation.instancePath;
      else if (violation.instancePath === wrongType) return;
      add('error', () => describe(data, violation, unknownNames));
    },
  });
}

interface Subject {
  /** Subject of the sentence: `"name"`, `Item 3 of "points"`, `The definition`. */
  readonly name: string;
  readonly value: unknown;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Messages by violated schema keyword. */
const sentences: Readonly<Record<string, (subject: Subject) => string>> = {
  required: ({ name, value, params }) => {
    const missing = String(params.missingProperty);
    const unknown = isObject(value) ? Object.keys(value) : [];
    const near = didYouMean(missing, unknown).replace('Did you mean', 'Is it misspelt as');
    return `${name} requires the property "${missing}".${near}`;
  },
  additionalProperties: ({ params }) => {
    const found = String(params.additionalProperty);
    const hint = didYouMean(found, Object.keys(ScreenDefinition.fields)) || schemaHint(found);
    return `Unknown root property ${quote(found)}.${hint}`;
  },
  type: ({ name, value, params }) => {
    const advice = value === null ? ' Omit the property instead.' : '';
    return `${name} must be ${describeTypes(params.type)}, not ${describeValue(value)}.${advice}`;
  },
  enum: ({ name, value, params }) => {
    const allowed = Array.isArray(params.allowedValues) ? params.allowedValues.map(String) : [];
    const hint = typeof value === 'string' ? didYouMean(value, allowed) : '';
    return `${name} is ${quote(value)}, but must be ${listWords(allowed, 'or')}.${hint}`;
  },
  pattern: ({ name, value, params: { pattern } }) =>
    `${name} is ${quote(value)}, ${patterns[String(pattern)] ?? `but must match ${pattern}`}.`,
  maxLength: ({ name, value, params }) =>
    `${name} has ${plural(lengthOf(value), 'character')}; the limit is ${params.limit}.`,
  minLength: ({ name, params }) =>
    `${name} is empty; the minimum is ${plural(Number(params.limit), 'character')}.`,
  maxItems: ({ name, value, params }) =>
    `${name} has ${plural(sizeOf(value), 'item')}; the limit is ${params.limit}.`,
  minItems: ({ name, value, params }) =>
    `${name} has ${plural(sizeOf(value), 'item')}; the minimum is ${params.limit}.`,
  minProperties: ({ name, params }) =>
    `${name} is empty; the minimum is ${plural(Number(params.limit), 'entry', 'entries')}.`,
  minimum: ({ name, value, params }) =>
    `${name} is ${quote(value)}; the minimum is ${params.limit}.`,
  maximum: ({ name, value, params }) =>
    `${name} is ${quote(value)}; the maximum is ${params.limit}.`,
};

/** Rules that are not named after the keyword, unlike `max-length` for `maxLength`. */
const ruleNames: Readonly<Record<string, string>> = {
  additionalProperties: 'unknown-root-property',
  enum: 'one-of',
};

const patterns: Readonly<Record<string, string>> = {
  '^[a-zA-Z_][a-zA-Z0-9_]*$':
    'but a column key must begin with a Latin letter or _, and contain only Latin letters, digits and _',
  '^\\d{4}-\\d{2}-\\d{2}$': 'but a date must have the form YYYY-MM-DD, such as 2026-11-21',
};

function describe(data: unknown, violation: Violation, unknownNames: readonly string[]): Problem {
  const path = violation.instancePath;
  const steps = parsePointer(path);
  const value = valueAt(data, steps);
  const { keyword, params } = violation;
  const name = nameOf(steps);
  const rule = ruleNames[keyword] ?? keyword.replace(/[A-Z]/g, (sign) => `-${sign.toLowerCase()}`);
  const message = sentences[keyword]?.({ name, value, params }) ?? `${name} is not allowed.`;
  const remedies = contractRemedies(data, violation, steps, unknownNames);
  if (keyword !== 'additionalProperties') {
    return { severity: 'error', path: pointer(...steps), rule, message, ...remedies };
  }
  const unknown = pointer(...steps, String(params.additionalProperty));
  return { severity: 'error', path: unknown, rule, message, atKey: true, ...remedies };
}

function nameOf(steps: readonly string[]): string {
  const last = steps.at(-1);
  if (last === undefined) return 'The definition';
  if (!/^\d+$/.test(last)) return quote(last);
  const list = steps.at(-2);
  return list === undefined || /^\d+$/.test(list)
    ? `Item ${last} of the pair`
    : `Item ${last} of ${quote(list)}`;
}

function schemaHint(property: string): string {
  return property === '$schema'
    ? ' Associate the schema with the file name *.screen.json in your editor instead.'
    : '';
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

function describeTypes(types: unknown): string {
  const names = (Array.isArray(types) ? types : [types]).map(
    (type) => typeNames[String(type)] ?? String(type),
  );
  return listWords(names, 'or');
}

function describeValue(value: unknown): string {
  if (typeof value === 'string') return `the string ${quote(value)}`;
  if (typeof value === 'number') {
    return Number.isFinite(value) ? `the number ${value}` : 'a number too large to represent';
  }
  return quote(value);
}

/** Returns the length in Unicode code points, as in JSON Schema. */
function lengthOf(value: unknown): number {
  if (typeof value !== 'string') return 0;
  let length = 0;
  for (const _ of value) length++;
  return length;
}

function sizeOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

/** Returns the remedies for a violation. `unknownNames` contains the unknown properties of the root. */
function contractRemedies(
  data: unknown,
  { keyword, params }: Violation,
  steps: readonly string[],
  unknownNames: readonly string[],
): Remedies {
  const path = exactPointer(...steps);
  const value = valueAt(data, steps);
  switch (keyword) {
    case 'additionalProperties':
      return unknownNameRemedies(data, String(params.additionalProperty), unknownNames);
    case 'enum':
      if (typeof value !== 'string' || !Array.isArray(params.allowedValues)) return {};
      return wordRemedies(data, path, value, params.allowedValues.map(String));
    case 'type':
      return wrongTypeRemedies(steps, value, [params.type].flat().map(String));
    default:
      return {};
  }
}

function unknownNameRemedies(data: unknown, name: string, unknown: readonly string[]): Remedies {
  const path = exactPointer(name);
  if (name === '$schema') return { suggestions: [removal(path, name)] };
  if (!isObject(data)) return {};
  const free = freeNames(name, ScreenDefinition.fields, data);
  return nameRemedies({ path, name, free, unknown });
}

/** Returns a fix that removes an optional null, or a suggestion that converts a number to a string. */
function wrongTypeRemedies(
  steps: readonly string[],
  value: unknown,
  types: readonly string[],
): Remedies {
  const path = exactPointer(...steps);
  const name = steps.at(-1);
  if (value === null && name !== undefined && isOptional(steps.slice(0, -1), name)) {
    return { fix: removal(path, name) };
  }
  if (typeof value === 'number' && types.includes('string')) {
    return { suggestions: [replacement(path, String(value))] };
  }
  return {};
}

/** Returns true for a known, optional property. */
function isOptional(parent: readonly string[], name: string): boolean {
  const table = parent.reduce<Table | undefined>(tableInside, ScreenDefinition);
  if (table === undefined || typeof table === 'string' || !('fields' in table)) return false;
  return Object.hasOwn(table.fields, name) && !table.required?.includes(name);
}

function tableInside(table: Table | undefined, step: string): Table | undefined {
  if (table === undefined || typeof table === 'string' || 'words' in table) return undefined;
  if ('items' in table) return table.items;
  if ('each' in table) return table.each;
  return Object.hasOwn(table.fields, step) ? table.fields[step] : undefined;
}
