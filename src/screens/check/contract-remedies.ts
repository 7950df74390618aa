import { type Fields, ScreenDefinition, type Table } from '#screen-definition';
import { exactPointer, isObject, valueAt } from '../../json/pointers.js';
import type { Remedies } from './fixes.js';
import { nameRemedies, removal, replacement, wordRemedies } from './remedies.js';

/** A violation of the schema, as far as there may be an answer to it. */
interface Subject {
  readonly keyword: string;
  /** Where it is, as steps. */
  readonly steps: readonly string[];
  readonly params: Readonly<Record<string, unknown>>;
}

/** What can be done about a violation of the contract; `unknownNames` are those of the root. */
export function contractRemedies(
  data: unknown,
  { keyword, steps, params }: Subject,
  unknownNames: () => readonly string[],
): Remedies {
  const path = exactPointer(...steps);
  const value = valueAt(data, steps);
  switch (keyword) {
    case 'additionalProperties':
      return ofUnknownName(data, String(params.additionalProperty), unknownNames());
    case 'enum':
      if (typeof value !== 'string' || !Array.isArray(params.allowedValues)) return {};
      return wordRemedies(data, path, value, params.allowedValues.map(String));
    case 'type':
      return ofWrongKind(steps, value, [params.type].flat().map(String));
    default:
      return {};
  }
}

/** The root alone is closed. */
function ofUnknownName(data: unknown, name: string, unknown: readonly string[]): Remedies {
  const path = exactPointer(name);
  if (name === '$schema') return { suggestions: [removal(path, name)] };
  if (!isObject(data)) return {};
  const free = freeNames(name, ScreenDefinition.fields, data);
  return nameRemedies({ path, name, free, unknown });
}

/** Known names that an object does not have, and that take the value which it has under another name. */
export function freeNames(
  name: string,
  fields: Fields['fields'],
  object: Readonly<Record<string, unknown>>,
): readonly string[] {
  return Object.entries(fields)
    .filter(([free, table]) => !Object.hasOwn(object, free) && takes(table, object[name]))
    .map(([free]) => free);
}

/** Whether a value is of the kind that a property holds; its bounds are not looked at. */
function takes(table: Table, value: unknown): boolean {
  if (table === 'text') return typeof value === 'string';
  if (table === 'number') return typeof value === 'number';
  if (table === 'flag') return typeof value === 'boolean';
  if (table === 'quantity') return typeof value === 'string' || typeof value === 'number';
  if ('words' in table) return table.words.some((word) => word === value);
  return 'items' in table ? Array.isArray(value) : isObject(value);
}

/** null says that there is no value: without the property, the definition says the same. */
function ofWrongKind(steps: readonly string[], value: unknown, types: readonly string[]): Remedies {
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

/** Whether the contract knows a property and does without it. */
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
