import { readFileSync } from 'node:fs';
import type { Random } from './random.js';
import { type TextKind, textKinds, textOf } from './texts.js';

/** The parts of a schema that the generator reads: bounds and shape. */
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

const place = new URL('../../../schemas/screen.schema.json', import.meta.url);
export const screenSchema: Schema = JSON.parse(readFileSync(place, 'utf8'));

/** How to generate a definition. */
export interface Temper {
  readonly random: Random;
  /** Every list and text as long as allowed, as short as allowed, or in between. */
  readonly size: 'longest' | 'shortest' | 'any';
  /** The kind of every text; without it, each text has a random kind. */
  readonly kind: TextKind | undefined;
}

/** Code points of texts, and numbers of items, that the schema does not bound. */
const unbounded = { texts: [8, 40, 40, 200, 2_000], items: [2, 3, 5] };

/** Returns the schema of a reference. */
export function resolve(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const found = screenSchema.definitions?.[schema.$ref.replace('#/definitions/', '')];
  if (found === undefined) throw new Error(`The schema has no ${schema.$ref}.`);
  return found;
}

/** Returns a value that the schema allows, within its bounds or at them. */
export function valueFor(given: Schema, temper: Temper): unknown {
  const schema = resolve(given);
  const { random } = temper;
  if (schema.enum) return random.one(schema.enum);
  const type = typeof schema.type === 'object' ? random.one(schema.type) : schema.type;
  switch (type) {
    case 'object':
      return objectOf(schema, temper);
    case 'array':
      return listOf(schema, temper);
    case 'string':
      return stringOf(schema, temper);
    case 'boolean':
      return random.one([true, false]);
    default:
      return numberOf(schema, temper, type === 'integer');
  }
}

function objectOf(
  { properties = {}, required = [], additionalProperties }: Schema,
  temper: Temper,
): unknown {
  const wanted = Object.entries(properties).filter(
    ([name]) =>
      required.includes(name) ||
      temper.size === 'longest' ||
      (temper.size === 'any' && temper.random.between(0, 2) > 0),
  );
  const known = wanted.map(([name, schema]) => [name, valueFor(schema, temper)]);
  const open = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const others = open
    ? Array.from({ length: temper.size === 'shortest' ? 1 : 4 }, (_, index) => [
        textFor(temper, temper.size === 'longest' ? 60 : 12, index) + index,
        valueFor(open, temper),
      ])
    : [];
  return Object.fromEntries([...known, ...others]);
}

function listOf({ items = {}, minItems = 0, maxItems }: Schema, temper: Temper): unknown[] {
  const { random, size } = temper;
  const most = maxItems ?? Math.max(minItems, random.one(unbounded.items));
  const length =
    size === 'longest' ? most : size === 'shortest' ? minItems : random.between(minItems, most);
  return Array.from({ length }, () => valueFor(items, temper));
}

function stringOf({ maxLength, minLength = 0, pattern }: Schema, temper: Temper): string {
  const { random, size } = temper;
  if (pattern?.includes('\\d{4}')) {
    const day = String(random.between(1, 28)).padStart(2, '0');
    return `2026-${String(random.between(8, 12)).padStart(2, '0')}-${day}`;
  }
  if (pattern !== undefined) return `k${random.between(0, 1e9)}`;
  if (size === 'shortest') return textFor(temper, Math.max(1, minLength));
  const most = maxLength ?? random.one(unbounded.texts);
  return textFor(temper, size === 'longest' ? most : random.between(Math.max(1, minLength), most));
}

/** Returns a text of several words; a single long word would be unrealistic. */
function textFor({ random, kind }: Temper, length: number, from = random.between(0, 3)): string {
  const drawn = kind ?? random.one(textKinds);
  return textOf(length > 200 && drawn === 'word' ? 'russian' : drawn, length, from);
}

const extremes = [0, -1, 0.000_000_123, 1_234_567.891, 9_007_199_254_740_991, -1e21, 1.797e308];

function numberOf({ minimum, maximum }: Schema, { random }: Temper, whole: boolean): number {
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
