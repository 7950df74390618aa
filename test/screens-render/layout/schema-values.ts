import { readFileSync } from 'node:fs';
import type { Random } from './random.js';
import { type TextKind, textKinds, textOf } from './texts.js';

/** The parts of a schema that the generator reads. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

const schemaFile = new URL('../../../schemas/screen.schema.json', import.meta.url);
export const screenSchema: Schema = JSON.parse(readFileSync(schemaFile, 'utf8'));

/** Settings of the generator. */
export interface Settings {
  readonly random: Random;
  /** Size of every list and text: the maximum, the minimum, or any size. */
  readonly size: 'longest' | 'shortest' | 'any';
  /** Kind of all texts; by default, each text has a random kind. */
  readonly kind: TextKind | undefined;
}

/** Lengths of texts (in code points) and of lists that the schema does not limit. */
const unbounded = { texts: [8, 40, 40, 200, 2_000], items: [2, 3, 5] };

/** Returns the schema of a reference. */
export function resolve(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const found = screenSchema.definitions?.[schema.$ref.replace('#/definitions/', '')];
  if (found === undefined) throw new Error(`The schema has no ${schema.$ref}.`);
  return found;
}

/** Returns a value that the schema allows, which may be at its limits. */
export function valueFor(given: Schema, settings: Settings): unknown {
  const schema = resolve(given);
  const { random } = settings;
  if (schema.enum) return random.one(schema.enum);
  const type = typeof schema.type === 'object' ? random.one(schema.type) : schema.type;
  switch (type) {
    case 'object':
      return objectOf(schema, settings);
    case 'array':
      return listOf(schema, settings);
    case 'string':
      return stringOf(schema, settings);
    case 'boolean':
      return random.one([true, false]);
    default:
      return numberOf(schema, settings, type === 'integer');
  }
}

function objectOf(
  { properties = {}, required = [], additionalProperties }: Schema,
  settings: Settings,
): unknown {
  const wanted = Object.entries(properties).filter(
    ([name]) =>
      required.includes(name) ||
      settings.size === 'longest' ||
      (settings.size === 'any' && settings.random.between(0, 2) > 0),
  );
  const known = wanted.map(([name, schema]) => [name, valueFor(schema, settings)]);
  const open = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const others = open
    ? Array.from({ length: settings.size === 'shortest' ? 1 : 4 }, (_, index) => [
        textFor(settings, settings.size === 'longest' ? 60 : 12, index) + index,
        valueFor(open, settings),
      ])
    : [];
  return Object.fromEntries([...known, ...others]);
}

function listOf({ items = {}, minItems = 0, maxItems }: Schema, settings: Settings): unknown[] {
  const { random, size } = settings;
  const max = maxItems ?? Math.max(minItems, random.one(unbounded.items));
  const length =
    size === 'longest' ? max : size === 'shortest' ? minItems : random.between(minItems, max);
  return Array.from({ length }, () => valueFor(items, settings));
}

function stringOf({ maxLength, minLength = 0, pattern }: Schema, settings: Settings): string {
  const { random, size } = settings;
  if (pattern?.includes('\\d{4}')) {
    const day = String(random.between(1, 28)).padStart(2, '0');
    return `2026-${String(random.between(8, 12)).padStart(2, '0')}-${day}`;
  }
  if (pattern !== undefined) return `k${random.between(0, 1e9)}`;
  if (size === 'shortest') return textFor(settings, Math.max(1, minLength));
  const max = maxLength ?? random.one(unbounded.texts);
  return textFor(settings, size === 'longest' ? max : random.between(Math.max(1, minLength), max));
}

/** Returns a text of several words. A single word of that length would be unrealistic. */
function textFor({ random, kind }: Settings, length: number, from = random.between(0, 3)): string {
  const drawn = kind ?? random.one(textKinds);
  return textOf(length > 200 && drawn === 'word' ? 'russian' : drawn, length, from);
}

const extremes = [0, -1, 0.000_000_123, 1_234_567.891, 9_007_199_254_740_991, -1e21, 1.797e308];

function numberOf({ minimum, maximum }: Schema, { random }: Settings, whole: boolean): number {
  const fitting = [minimum, maximum, ...extremes].filter(
    (value): value is number =>
      value !== undefined &&
      value >= (minimum ?? Number.NEGATIVE_INFINITY) &&
      value <= (maximum ?? Number.POSITIVE_INFINITY) &&
      (!whole || Number.isSafeInteger(value)),
  );
  const bounded = minimum !== undefined && maximum !== undefined;
  return bounded ? random.between(minimum, maximum) : random.one(fitting);
}
