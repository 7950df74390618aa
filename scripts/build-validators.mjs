// schemas/<name>.schema.json -> dist/validators/<name>.js: Ajv validators as standalone code.
// A schema with `$defs` gives one exported function per definition; one without gives `validate`.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import addFormats from 'ajv-formats';
import { build } from 'esbuild';

const draft07 = 'http://json-schema.org/draft-07/schema#';

const tellingValidatorType = `import type { ErrorObject } from 'ajv';
/** Hands every violation to \`report\` as it is found; gives whether there was none. */
export declare function validate(
  data: unknown,
  options: { readonly report: (violation: ErrorObject) => void },
): boolean;
/** Known property names by name; \`*\` stands for any name, 1 for what has no names inside. */
export interface KnownProperties {
  readonly [name: string]: KnownProperties | 1;
}
export declare const knownProperties: KnownProperties;`;

const annotations = new Set(['title', 'description']);

/** `recorder` takes note of the packages that are folded in. */
export async function buildValidators(root, recorder) {
  const folder = `${root}/schemas`;
  const target = `${root}/dist/validators`;
  await mkdir(target, { recursive: true });
  const files = (await readdir(folder)).filter((file) => file.endsWith('.schema.json')).sort();
  const schemas = await Promise.all(
    files.map(async (file) => JSON.parse(await readFile(`${folder}/${file}`, 'utf8'))),
  );
  for (const [index, file] of files.entries()) {
    const schema = schemas[index];
    const others = schemas.filter((other) => other !== schema && other.$schema !== draft07);
    const name = file.replace('.schema.json', '');
    const generated = generate(withoutAnnotations(schema), others);
    const told = schema.$schema === draft07 ? tellingViolations(generated) : generated;
    const code = told + knownNames(schema);
    await bundle(code, `${target}/${name}.js`, { root, recorder });
    await writeFile(`${target}/${name}.d.ts`, declare(schema));
  }
}

function generate(schema, others) {
  const Dialect = schema.$schema === draft07 ? Ajv : Ajv2020;
  const ajv = new Dialect({
    allErrors: true,
    // One function a definition, so that a block that a document does not have is never compiled.
    inlineRefs: schema.$schema !== draft07,
    // The linter has sentences of its own.
    messages: schema.$schema !== draft07,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    discriminator: true,
    // Amounts of money: 4.35 is a multiple of 0.01, though not in binary.
    multipleOfPrecision: 6,
    code: { source: true, esm: true, lines: true },
  });
  addFormats.default(ajv);
  if (schema.$schema !== draft07) for (const other of others) ajv.addSchema(other);
  ajv.addSchema(schema);
  const exported = schema.$defs
    ? Object.fromEntries(
        Object.keys(schema.$defs).map((key) => [key, `${schema.$id}#/$defs/${key}`]),
      )
    : { validate: schema.$id };
  return standaloneCode.default(ajv, exported);
}

/**
 * A definition may break the contract a million times. Ajv gathers violations in lists and joins those of
 * every item; this code hands each one on as it is found, `validate(data, { report })`, and keeps none.
 */
function tellingViolations(code) {
  const told = code
    .replace(/let vErrors = null;\n/g, '')
    .replace(
      /if\(vErrors === null\)\{\nvErrors = \[(err\d+)\];\n\}\nelse \{\nvErrors\.push\(\1\);\n\}/g,
      'report($1);',
    )
    .replace(
      /vErrors = vErrors === null \? (validate\d+)\.errors : vErrors\.concat\(\1\.errors\);\nerrors = vErrors\.length;/g,
      'errors++;',
    )
    .replace(/validate\d+\.errors = vErrors;\n/g, '')
    .replaceAll('rootData=data}={}', 'report}={}')
    .replace(/\brootData\b/g, 'report');
  // anyOf and the like take violations back: a schema that has them cannot hand them on.
  if (told.includes('vErrors')) throw new Error('Ajv writes its code in another way now.');
  return told;
}

/** The words for people in a schema are for editors and documentation; the validator needs none. */
function withoutAnnotations(schema) {
  if (Array.isArray(schema)) return schema.map(withoutAnnotations);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(
    ([key, value]) => !annotations.has(key) || typeof value === 'object',
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutAnnotations(value)]));
}

/** Draft-07 objects are open: which property names are known is exported beside the validator. */
function knownNames(schema) {
  if (schema.$schema !== draft07) return '';
  return `\nexport const knownProperties = ${JSON.stringify(propertyTree(schema, schema))};\n`;
}

/** Names by name, lists passed through; `*` stands for any name, 1 for what has no names inside. */
function propertyTree(schema, root) {
  if (schema.$ref) return propertyTree(root.definitions[schema.$ref.split('/').at(-1)], root);
  if (schema.type === 'array') return propertyTree(schema.items, root);
  if (schema.type !== 'object') return 1;
  const { properties = {}, additionalProperties: any } = schema;
  const known = Object.entries(properties).map(([name, value]) => [
    name,
    propertyTree(value, root),
  ]);
  if (any) known.push(['*', any === true ? 1 : propertyTree(any, root)]);
  return Object.fromEntries(known);
}

/** Folds Ajv's small run-time helpers into the file, so that loading a validator loads nothing else. */
async function bundle(code, outfile, { root, recorder }) {
  await build({
    plugins: [recorder.plugin],
    stdin: { contents: code, resolveDir: root },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    outfile,
    logLevel: 'warning',
  });
}

function declare(schema) {
  if (schema.$schema === draft07) return tellingValidatorType;
  const names = schema.$defs ? Object.keys(schema.$defs) : ['validate'];
  const lines = names.map((name) => `export declare const ${name}: GeneratedValidator;`);
  return `import type { ErrorObject } from 'ajv';
interface GeneratedValidator {
  (data: unknown): boolean;
  errors?: ErrorObject[] | null;
}
${lines.join('\n')}
`;
}
