// Generates tables of the screen contract for a lenient reader, and the types of its results. Fails on
// unsupported keywords.
import { comment, unionOf } from './schema-types.mjs';

const kinds = { string: 'text', number: 'number', integer: 'number', boolean: 'flag' };

const kindTypes = {
  text: 'string',
  number: 'number',
  flag: 'boolean',
  quantity: 'string | number',
};

const header = `// Generated from schemas/screen.schema.json.

/** How to read a value from unknown data. A quantity is a number or a text ("12 %", "1 200"). */
export type Table =
  | 'text' | 'number' | 'flag' | 'quantity'
  | { readonly words: readonly string[] }
  | { readonly items: Table }
  | { readonly each: Table }
  | Fields;

/** An object with known properties; an \`open\` one is copied unchanged. */
export interface Fields {
  readonly fields: Readonly<Record<string, Table>>;
  readonly required?: readonly string[];
  readonly open?: true;
  /** Replaces a missing required object. */
  readonly empty?: object;
}

/** The table of type T. */
export type Shape<T, Kind extends Table = Table> = Kind & { readonly of?: T };
`;

/** Returns a module with a table for each type of the contract, and its declarations. */
export function screenDefinition(schema) {
  const shapes = shapesOf(schema);
  const code = shapes.map(({ name, shape }) => `export const ${name} = ${codeOf(shape)};\n`);
  return { code: code.join(''), types: header + shapes.map(declare).join('') };
}

/** Returns the named shapes, each after the shapes that it refers to. */
function shapesOf(schema) {
  const shapes = new Map();

  function define(name, base, part) {
    if (shapes.has(name)) return { name };
    shapes.set(name, undefined);
    const shape = shapeOf(part, base);
    shapes.delete(name); // Moves it after the shapes that it refers to.
    shapes.set(name, { name, shape, part });
    return { name };
  }

  function shapeOf(part, base) {
    if (part.enum) return { words: part.enum };
    if (part.type === 'array') return { items: inside(part.items, base) };
    if (part.type === 'object') return objectShape(part, base);
    if (isQuantity(part)) return 'quantity';
    if (part.type in kinds) return kinds[part.type];
    throw new Error(`${base}: unsupported value: ${JSON.stringify(part)}`);
  }

  function objectShape({ properties, additionalProperties: others, ...part }, base) {
    if (!properties) return { each: inside(others, base) };
    const fields = Object.entries(properties).map(([name, value]) => [name, inside(value, base)]);
    // A missing quantity has no neutral replacement.
    const required = part.required?.filter((name) => !isQuantity(properties[name]));
    return {
      fields: Object.fromEntries(fields),
      ...(required?.length ? { required } : {}),
      ...(others ? { open: true } : {}),
      ...(part.default ? { empty: part.default } : {}),
    };
  }

  /** Names an object after its parent and its title. */
  function inside(part, base) {
    const key = part.$ref?.split('/').at(-1);
    if (key) {
      const { [key]: definition } = schema.definitions;
      return define(nameOf(pascal(key), definition), pascal(key), definition);
    }
    if (part.type !== 'object' || !part.properties) return shapeOf(part, base);
    const own = base + pascal(part.title);
    return define(nameOf(own, part), own, part);
  }

  define(pascal(schema.title), '', schema);
  return [...shapes.values()];
}

const isQuantity = ({ type }) => String(type) === 'string,number';

const nameOf = (base, { type }) => (type === 'object' ? `${base}Definition` : base);

const pascal = (words) => words.replace(/(?:^| +)(.)/g, (_, letter) => letter.toUpperCase());

function codeOf(shape) {
  if (shape.name) return shape.name;
  if (shape.items) return `{items:${codeOf(shape.items)}}`;
  if (shape.each) return `{each:${codeOf(shape.each)}}`;
  if (!shape.fields) return JSON.stringify(shape);
  const { fields, ...rest } = shape;
  const parts = Object.entries(fields).map(([name, field]) => `${name}:${codeOf(field)}`);
  return `{fields:{${parts.join(',')}},...${JSON.stringify(rest)}}`;
}

function declare({ name, shape, part }) {
  const type = declareType(name, shape, part);
  return `\n${comment(part)}${type}\nexport declare const ${name}: ${tableType(name, shape)};\n`;
}

/** Declares the table of a type; an open object also declares its fields. */
function tableType(name, { fields, open }) {
  if (!open) return `Shape<${name}${fields ? ', Fields' : ''}>`;
  const inside = Object.entries(fields).map(([key, field]) => `${key}: Shape<${typeOf(field)}>`);
  return `Shape<${name}, Fields & { readonly fields: { readonly ${inside.join('; readonly ')} } }>`;
}

function declareType(name, shape, { properties }) {
  if (!shape.fields || shape.open) return `export type ${name} = ${typeOf(shape)};`;
  const members = Object.entries(shape.fields).map(([key, value]) => {
    const mark = shape.required?.includes(key) ? '' : '?';
    return `${comment(properties[key])}readonly ${key}${mark}: ${typeOf(value)};\n`;
  });
  return `export interface ${name} {\n${members.join('')}}`;
}

function typeOf(shape) {
  if (shape.name) return shape.name;
  if (shape.words) return unionOf(shape.words);
  if (shape.items) return `readonly (${typeOf(shape.items)})[]`;
  if (shape.each) return `Readonly<Record<string, ${typeOf(shape.each)}>>`;
  if (shape.open) return 'Readonly<Record<string, unknown>>';
  return kindTypes[shape];
}
