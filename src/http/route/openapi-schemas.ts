import { isObject } from '../../json/pointers.js';
import { maxDigits } from '../request/number-forms.js';

/** pure: converts the definitions of schema files to components of an OpenAPI document. */

export type Json = Readonly<Record<string, unknown>>;

/** Schemas by name in the document. */
export type Definitions = Readonly<Record<string, Json>>;

const ofFile = /^(?:[\w-]+\.schema\.json)?#\/\$defs\//;
const prefix = '#/components/schemas/';

/** Returns a reference to a component of the document. */
export function reference(name: string): Json {
  return { $ref: `${prefix}${name}` };
}

/**
 * Returns the definitions of a schema file for the document. References point to the document's components. A
 * definition that extends others (`allOf`) is written out, because not every generator supports `allOf`.
 */
export function componentsOf(definitions: Json): Definitions {
  const own = localised(definitions) as Definitions; // Only references change, not the shape.
  return Object.fromEntries(
    Object.keys(own).map((name) => [name, withMapping(writtenOut(name, own), own)]),
  );
}

/**
 * Adds a mapping from values to schemas to a discriminator. Without it, generators use the names of the schemas as
 * values. The mapping is not in the schema file, because Ajv does not accept one.
 */
function withMapping(schema: Json, definitions: Definitions): Json {
  const { discriminator, oneOf } = schema;
  if (!isObject(discriminator) || !Array.isArray(oneOf)) return schema;
  const choices: string[] = oneOf.map(({ $ref }) => String($ref));
  const mapping = Object.fromEntries(
    choices.flatMap((ref) => {
      const { properties } = definitions[ref.slice(prefix.length)] ?? {};
      const chosen = isObject(properties)
        ? properties[String(discriminator.propertyName)]
        : undefined;
      return isObject(chosen) && typeof chosen.const === 'string' ? [[chosen.const, ref]] : [];
    }),
  );
  return { ...schema, discriminator: { ...discriminator, mapping } };
}

function localised(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(localised);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(withDefaultInWords(openForms(value))).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string'
        ? inner.replace(ofFile, prefix)
        : localised(inner),
    ]),
  );
}

/**
 * Moves a default into the description, because generators treat a property with a `default` as required, even in
 * requests.
 */
function withDefaultInWords(schema: Json): Json {
  const { default: value, ...rest } = schema;
  if (value === undefined || isObject(value)) return schema; // A property named `default` is an object.
  const words = `${JSON.stringify(value)} by default.`;
  const { description } = rest;
  return { ...rest, description: description ? `${description} ${words}` : words };
}

function writtenOut(name: string, definitions: Definitions): Json {
  const { allOf, ...own } = definitions[name] ?? {};
  if (!Array.isArray(allOf)) return own;
  const others = allOf.map(({ $ref }) =>
    writtenOut(String($ref).slice(prefix.length), definitions),
  );
  const all = [...others, own];
  return {
    ...own,
    required: [...new Set(all.flatMap(({ required }) => (required as string[] | undefined) ?? []))],
    properties: Object.assign({}, ...all.map(({ properties }) => properties)),
  };
}

/** Returns the definitions to which `starts` refers, directly or through other definitions. */
export function usedBy(starts: unknown, definitions: Definitions): Definitions {
  const used = new Set<string>();
  const texts = [JSON.stringify(starts)];
  for (let text = texts.pop(); text !== undefined; text = texts.pop()) {
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      texts.push(JSON.stringify(definitions[name] ?? {}));
    }
  }
  return Object.fromEntries(Object.entries(definitions).filter(([name]) => used.has(name)));
}

type Schema = Readonly<Record<string, unknown>>;

/**
 * Returns a part of a schema file for the OpenAPI document. Standard keywords replace the custom keywords `exactDigits`
 * and `lenient` (see scripts/lib/number-forms.mjs).
 */
export function openForms(schema: Schema): Schema {
  if (schema.lenient !== true) return withoutExactDigits(schema);
  const { lenient, description, default: byDefault, ...own } = schema;
  return {
    ...(description === undefined ? {} : { description }),
    ...(byDefault === undefined ? {} : { default: byDefault }),
    oneOf: [withoutExactDigits(own), otherForm(own)],
  };
}

function withoutExactDigits(schema: Schema): Schema {
  if (typeof schema.exactDigits !== 'number') return schema;
  const { exactDigits, ...others } = schema;
  return { ...others, exclusiveMaximum: 10 ** exactDigits };
}

function otherForm({ type, exactDigits, maxLength }: Schema): object {
  if (type === 'string') {
    return { type: 'integer', minimum: 0, exclusiveMaximum: 10 ** Number(maxLength) };
  }
  if (typeof exactDigits === 'number') {
    return { type: 'string', pattern: '^(0|[1-9][0-9]*)$', maxLength: exactDigits };
  }
  const fraction = type === 'number' ? '(\\.[0-9]+)?' : '';
  return { type: 'string', pattern: `^-?(0|[1-9][0-9]*)${fraction}$`, maxLength: maxDigits };
}

/** Named examples by definition name. */
export type Examples = Readonly<Record<string, Json>>;

/** Returns a JSON body for an OpenAPI document, with examples. */
export function jsonContent(schema: Json, examples: Json = {}): Json {
  const named = Object.entries(examples).map(([name, value]) => [name, { value }]);
  const shown = named.length > 0 ? { examples: Object.fromEntries(named) } : {};
  return { 'application/json': { schema, ...shown } };
}
