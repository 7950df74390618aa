import { describe, expect, it } from 'vitest';

const script = new URL('../../scripts/lib/schema-types.mjs', import.meta.url);
const { typesOf } = await import(script.href);

/** Returns the type that is generated from a schema. */
const typeOf = (schema: object): string => typesOf({ $defs: { A: schema } }).join('\n');

describe('the type of a schema', () => {
  it.each([
    [{ type: 'string', maxLength: 3 }, 'export type A = string;'],
    [{ type: ['integer', 'null'] }, 'export type A = number | null;'],
    [{ type: 'integer', minimum: 0, exactDigits: 30 }, 'export type A = number | bigint;'],
    [{ type: 'string', lenient: true }, 'export type A = string;'],
    [{ enum: ['a', 1] }, 'export type A = ("a" | 1);'],
    [{ const: true }, 'export type A = true;'],
    [{ type: 'object' }, 'export type A = Readonly<Record<string, unknown>>;'],
    [{ type: 'array', items: { type: 'number' } }, 'export type A = readonly (number)[];'],
    [{ $ref: 'site.schema.json#/$defs/B' }, "export type A = import('./site.js').B;"],
    [{ $ref: '#/$defs/B', required: ['c'] }, 'export type A = B & Required<Pick<B, "c">>;'],
    [
      {
        type: 'object',
        allOf: [{ $ref: '#/$defs/B' }],
        required: ['b', 'c'],
        properties: { c: {} },
      },
      'export type A = B & Required<Pick<B, "b">> & {\nreadonly c: unknown;\n};',
    ],
    [{ anyOf: [{ $ref: '#/$defs/B' }, { type: 'null' }] }, 'export type A = (B | null);'],
    [{ type: 'string', anyOf: [{ format: 'date' }] }, 'export type A = string;'],
  ])('is generated for %j', (schema, type) => {
    expect(typeOf(schema)).toBe(type);
  });

  it("is an interface with the schema's descriptions for an object with properties", () => {
    const properties = { b: { type: 'string', description: 'A b.' }, c: { type: 'boolean' } };
    expect(typeOf({ type: 'object', description: 'An a.', required: ['b'], properties })).toBe(
      '/** An a. */\nexport interface A {\n/** A b. */\nreadonly b: string;\nreadonly c?: boolean;\n}',
    );
  });

  it.each([
    { type: 'object', patternProperties: {} },
    { type: 'array', items: { not: {} } },
    { $ref: '#/$defs/B', properties: {} },
    { type: 'object', allOf: [{ $ref: '#/$defs/B' }, { $ref: '#/$defs/C' }] },
    { type: 'object', properties: {}, additionalProperties: { type: 'string' } },
  ])('is not generated if it cannot express the schema: %j', (schema) => {
    expect(() => typeOf(schema)).toThrow(
      /unknown keyword|unknown type|allOf may|not supported|not both/,
    );
  });
});
