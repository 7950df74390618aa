// Two custom keywords for numbers in schemas/:
//
// - `"exactDigits": 30` together with `"type": "integer"`: a non-negative integer with at most 30 digits. Beyond 2^53,
// it
//   is a bigint, which the keywords of JSON Schema do not support.
// - `"lenient": true` on a property of a request body: a number may be sent as a string of digits, and a string as a
//   number. The schema states the type that the program uses. The request is converted to it before validation.
import { _ } from 'ajv';

/** Adds the keywords to an Ajv instance. `lenient` does not affect validation. */
export function addNumberKeywords(ajv) {
  ajv.addKeyword('lenient');
  ajv.addKeyword({
    keyword: 'exactDigits',
    schemaType: 'number',
    error: {
      message: ({ schema }) => `must be a non-negative whole number with at most ${schema} digits`,
    },
    code(context) {
      const { data, schema } = context;
      const limit = `1${'0'.repeat(schema)}`;
      const isInteger = _`(Number.isSafeInteger(${data}) || typeof ${data} == "bigint")`;
      context.fail(_`!${isInteger} || ${data} < 0 || ${data} >= BigInt(${limit})`);
    },
  });
}

/** Returns the schema for validation: `exactDigits` replaces `type` and `minimum`. */
export function withExactDigits(schema) {
  if (Array.isArray(schema)) return schema.map(withExactDigits);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { type, minimum, ...others } = schema;
  const isExact = typeof schema.exactDigits === 'number';
  if (isExact && (type !== 'integer' || minimum !== 0)) {
    throw new Error('exactDigits requires "type": "integer" and "minimum": 0.');
  }
  return Object.fromEntries(
    Object.entries(isExact ? others : schema).map(([key, value]) => [key, withExactDigits(value)]),
  );
}

/**
 * Returns the forms of a definition's lenient properties by name, or undefined if it has neither lenient nor exact
 * properties. Throws if a lenient number is not limited to exact values, or a nested property is lenient.
 */
export function formsOf(definition, place) {
  const properties = Object.entries(definition.properties ?? {});
  const forms = properties.flatMap(([name, property]) =>
    property.lenient ? [[name, formOf(property, `${place}/${name}`)]] : [],
  );
  const count = JSON.stringify(definition).split('"lenient":').length - 1;
  if (count !== forms.length) throw new Error(`${place}: only direct properties may be lenient.`);
  const isExact = properties.some(([, { exactDigits }]) => exactDigits);
  return forms.length > 0 || isExact ? Object.fromEntries(forms) : undefined;
}

function formOf({ type, maximum, exactDigits }, place) {
  if (type === 'string') return 'text';
  if (exactDigits) return 'exact';
  if (type !== 'number' && type !== 'integer')
    throw new Error(`${place} must be a number or a string.`);
  if (maximum <= Number.MAX_SAFE_INTEGER) return type;
  throw new Error(`${place} must have a maximum of 2^53 - 1 or less.`);
}
