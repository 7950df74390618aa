// The definitions of a JSON Schema as TypeScript. It knows the keywords that schemas/ uses and fails on
// any other, so that a type never says something else than the validator beside it.

/** Keywords that bound the values of a type, are for people, or are dealt with where they belong. */
const withoutType = new Set([
  ...['title', 'description', 'default', 'examples', '$defs', 'discriminator'],
  ...['minLength', 'maxLength', 'pattern', 'format', 'minItems', 'maxItems', 'uniqueItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'minProperties', 'maxProperties'],
  // See number-forms.mjs.
  'lenient',
]);

const withType = new Set([
  ...['$ref', 'type', 'enum', 'const', 'allOf', 'anyOf', 'oneOf', 'items', 'exactDigits'],
  ...['properties', 'required', 'additionalProperties'],
]);

const primitives = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** One exported type a definition, under its name. */
export function typesOf({ $defs }) {
  return Object.entries($defs).map(([name, schema]) => {
    const type = typeOf(schema, name);
    const isInterface = schema.properties !== undefined && !schema.oneOf && !schema.allOf;
    const declared = isInterface ? `interface ${name} ${type}` : `type ${name} = ${type};`;
    return `${comment(schema)}export ${declared}`;
  });
}

/** A doc comment of what the schema says for people, with its line break. */
export function comment({ description }) {
  return description ? `/** ${description.replaceAll('*/', '* /')} */\n` : '';
}

/** Something that holds for all of `values`: `'a' | 'b'`. */
export const unionOf = (values) => values.map((value) => JSON.stringify(value)).join(' | ');

function typeOf(schema, place) {
  if (schema === true) return 'unknown';
  for (const keyword of Object.keys(schema)) {
    if (!withType.has(keyword) && !withoutType.has(keyword)) {
      throw new Error(`${place}: no type is known for the keyword ${keyword}.`);
    }
  }
  const { oneOf, anyOf = oneOf, discriminator } = schema;
  const options = anyOf?.map((option, index) => typeOf(option, `${place}/${index}`));
  const union = options?.some((option) => option !== 'unknown') ? `(${options.join(' | ')})` : [];
  // The options of a discriminator say all that stands beside them.
  const own = discriminator ? [] : ownTypes(schema, place);
  return [...own, union].flat().join(' & ') || 'unknown';
}

function ownTypes(schema, place) {
  if (schema.enum) return [`(${unionOf(schema.enum)})`];
  if ('const' in schema) return [JSON.stringify(schema.const)];
  if (schema.$ref) return [referenceType(schema)];
  if (schema.exactDigits) return ['number | bigint'];
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return [];
  const own = types.map((type) => primitives[type] ?? structure(type, schema, place)).join(' | ');
  return [...inheritedTypes(schema, place), own];
}

/** What a definition takes over from others, and which of that it asks for itself. */
function inheritedTypes({ allOf = [], required = [], properties = {} }, place) {
  return allOf.map((other) => {
    if (!other.$ref || Object.keys(other).length > 1 || allOf.length > 1) {
      throw new Error(`${place}: no type is known for allOf but of one reference.`);
    }
    const inherited = required.filter((name) => !(name in properties));
    return referenceType({ $ref: other.$ref, required: inherited });
  });
}

/** What stands beside a reference may ask for more of its properties. */
function referenceType({ $ref, required = [], properties }) {
  if (properties) throw new Error(`${$ref}: no type is known for properties beside a reference.`);
  const [file, path] = $ref.split('#');
  const name = path.split('/').at(-1);
  const type = file ? `import('./${file.replace('.schema.json', '.js')}').${name}` : name;
  return required.length > 0 ? `${type} & Required<Pick<${type}, ${unionOf(required)}>>` : type;
}

function structure(type, schema, place) {
  if (type === 'array') return `readonly (${typeOf(schema.items ?? {}, `${place}/items`)})[]`;
  if (type !== 'object') throw new Error(`${place}: no type is known for ${type}.`);
  const { properties, required = [], additionalProperties: others } = schema;
  if (properties && typeof others === 'object') {
    throw new Error(`${place}: name the properties, or allow any.`);
  }
  if (!properties) {
    const each = others === undefined || others === true ? {} : others;
    return `Readonly<Record<string, ${typeOf(each, `${place}/*`)}>>`;
  }
  const members = Object.entries(properties).map(([name, property]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${comment(property)}readonly ${name}${mark}: ${typeOf(property, `${place}/${name}`)};\n`;
  });
  return `{\n${members.join('')}}`;
}
