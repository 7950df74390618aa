import type { Json } from './openapi-schemas.js';

/** What a definition looks like when it is used: values by a name for each. */
export type Examples = Readonly<Record<string, Json>>;

/** A body of JSON in an OpenAPI document, with what such a body looks like. */
export function jsonContent(schema: Json, examples: Json = {}): Json {
  const named = Object.entries(examples).map(([name, value]) => [name, { value }]);
  const shown = named.length > 0 ? { examples: Object.fromEntries(named) } : {};
  return { 'application/json': { schema, ...shown } };
}
