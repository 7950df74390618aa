// Returns the definitions of a JSON Schema as TypeScript. Supports the keywords that schemas/ uses and fails on
// others, so that types and validators agree.

/** Keywords that do not affect the type, or that are handled elsewhere. */
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

/** Returns an exported type for each definition. */
export function typesOf({ $defs }) {
  return Object.entries($defs).map(([name, schema]) => {
    const type = typeOf(schema, name);
    const isInterface = schema.properties !== undefined && !schema.oneOf && !schema.allOf;
    const declared = isInterface ? `interface ${name} ${type}` : `type ${name} = ${type};`;
    return `${comment(schema)}export ${declared}`;
  });
}

/** Returns the description of a schema as a doc comment with a line break. */
export function comment({ description }) {
  return description ? `/** ${description.replaceAll('*/', '* /')} */\n` : '';
}

/** Returns a union of literals: `"a" | "b"`. */
export const unionOf = (values) => values.map((value) => JSON.stringify(value)).join(' | ');

function typeOf(schema, place) {
  if (schema === true) return 'unknown';
  for (const keyword of Object.keys(schema)) {
    if (!withType.has(keyword) && !withoutType.has(keyword)) {
      throw new Error(`${place}: unknown keyword ${keyword}.`);
    }
  }
  const { oneOf, anyOf = oneOf, discriminator } = schema;
  const options = anyOf?.map((option, index) => typeOf(option, `${place}/${index}`));
  const union = options?.some((option) => option !== 'unknown') ? `(${options.join(' | ')})` : [];
  // The options of a discriminator repeat the properties of the schema.
  const direct = discriminator ? [] : directTypes(schema, place);
  return [...direct, union].flat().join(' & ') || 'unknown';
}

function directTypes(schema, place) {
  if (schema.enum) return [`(${unionOf(schema.enum)})`];
  if ('const' in schema) return [JSON.stringify(schema.const)];
  if (schema.$ref) return [referenceType(schema)];
  if (schema.exactDigits) return ['number | bigint'];
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return [];
  const direct = types
    .map((type) => primitives[type] ?? structure(type, schema, place))
    .join(' | ');
  return [...inheritedTypes(schema, place), direct];
}

/** Returns the types that a definition extends, with the properties that it makes required. */
function inheritedTypes({ allOf = [], required = [], properties = {} }, place) {
  return allOf.map((other) => {
    if (!other.$ref || Object.keys(other).length > 1 || allOf.length > 1) {
      throw new Error(`${place}: allOf may only contain one reference.`);
    }
    const inherited = required.filter((name) => !(name in properties));
    return referenceType({ $ref: other.$ref, required: inherited });
  });
}

/** Returns a referenced type, with the properties that are required in addition to the reference. */
function referenceType({ $ref, required = [], properties }) {
  if (properties) throw new Error(`${$ref}: properties of a reference are not supported.`);
  const [file, path] = $ref.split('#');
  const name = path.split('/').at(-1);
  const type = file ? `import('./${file.replace('.schema.json', '.js')}').${name}` : name;
  return required.length > 0 ? `${type} & Required<Pick<${type}, ${unionOf(required)}>>` : type;
}

function structure(type, schema, place) {
  if (type === 'array') return `readonly (${typeOf(schema.items ?? {}, `${place}/items`)})[]`;
  if (type !== 'object') throw new Error(`${place}: unknown type ${type}.`);
  const { properties, required = [], additionalProperties: others } = schema;
  if (properties && typeof others === 'object') {
    throw new Error(`${place}: declare properties or additionalProperties, not both.`);
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
