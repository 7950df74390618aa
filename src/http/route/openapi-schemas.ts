import { isObject } from '../../json/pointers.js';
import { longestDigits } from '../request/number-forms.js';

/** pure: the definitions of schema files as components of an OpenAPI document. */

export type Json = Readonly<Record<string, unknown>>;

/** Schemas by their name in the document. */
export type Definitions = Readonly<Record<string, Json>>;

const ofFile = /^(?:[\w-]+\.schema\.json)?#\/\$defs\//;
const prefix = '#/components/schemas/';

/** The reference to a component of the document. */
export function reference(name: string): Json {
  return { $ref: `${prefix}${name}` };
}

/**
 * The definitions of a schema file for the document: references point into its components, and what a
 * definition takes over from another one (`allOf`) is written out, as not every generator reads that.
 */
export function componentsOf(definitions: Json): Definitions {
  const own = localised(definitions) as Definitions; // The shape stays; only references change.
  return Object.fromEntries(
    Object.keys(own).map((name) => [name, withMapping(writtenOut(name, own), own)]),
  );
}

/**
 * Says of a discriminator which value stands for which schema, as a generator takes the schemas' names for the values
 * else. Ajv, which validates by the same file, takes no mapping.
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

/** Generators take a property with a `default` for one that is always there, in requests too. */
function withDefaultInWords(schema: Json): Json {
  const { default: value, ...rest } = schema;
  if (value === undefined || isObject(value)) return schema; // A property of that name is an object.
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

/** Those definitions that something points to, from `starts` or from one another. */
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
 * A part of a schema file as the OpenAPI document has it: our own keywords `exactDigits` and `lenient` (see
 * scripts/lib/number-forms.mjs) in words that every reader of schemas knows.
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
  return { type: 'string', pattern: `^-?(0|[1-9][0-9]*)${fraction}$`, maxLength: longestDigits };
}

/** What a definition looks like when it is used: values by a name for each. */
export type Examples = Readonly<Record<string, Json>>;

/** A body of JSON in an OpenAPI document, with what such a body looks like. */
export function jsonContent(schema: Json, examples: Json = {}): Json {
  const named = Object.entries(examples).map(([name, value]) => [name, { value }]);
  const shown = named.length > 0 ? { examples: Object.fromEntries(named) } : {};
  return { 'application/json': { schema, ...shown } };
}
