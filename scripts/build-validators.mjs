// Generates dist/validators/<name>.js from schemas/<name>.schema.json: Ajv validators as standalone code, with the
// types of valid data. A schema with `$defs` produces a function and a type for each definition. The screen contract
// produces `validate`, and the tables and types in dist/screen-definition.js.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import addFormats from 'ajv-formats';
import { build } from 'esbuild';
import { addNumberKeywords, formsOf, withExactDigits } from './lib/number-forms.mjs';
import { typesOf } from './lib/schema-types.mjs';
import { screenDefinition } from './lib/screen-shapes.mjs';

const draft07 = 'http://json-schema.org/draft-07/schema#';

const reportingValidatorType = `import type { ErrorObject } from 'ajv';
/** Passes every violation to \`report\`. Returns true if there is none. */
export declare function validate(
  data: unknown,
  options: { readonly report: (violation: ErrorObject) => void },
): boolean;
`;

const validatorType = `import type { ErrorObject } from 'ajv';
interface GeneratedValidator<T> {
  (data: unknown): data is T;
  errors?: ErrorObject[] | null;
  readonly numbers?: Readonly<Record<string, 'number' | 'integer' | 'exact' | 'text'>>;
}
`;

const annotations = new Set(['title', 'description']);

/** Returns the paths of the files that are bundled. */
export async function buildValidators(root) {
  const bundled = [];
  const folder = `${root}/schemas`;
  const target = `${root}/dist/validators`;
  await mkdir(target, { recursive: true });
  const files = (await readdir(folder)).filter((file) => file.endsWith('.schema.json')).sort();
  const schemas = await Promise.all(
    files.map(async (file) => JSON.parse(await readFile(`${folder}/${file}`, 'utf8'))),
  );
  for (const [index, file] of files.entries()) {
    const schema = schemas[index];
    const others = schemas
      .filter((other) => other !== schema && other.$schema !== draft07)
      .map(withExactDigits);
    const name = file.replace('.schema.json', '');
    const generated = generate(withoutAnnotations(withExactDigits(schema)), others);
    const isScreen = schema.$schema === draft07;
    const code = isScreen ? reportViolations(generated) : generated + numberForms(schema);
    bundled.push(...(await bundle(root, code, `${target}/${name}.js`)));
    await writeFile(`${target}/${name}.d.ts`, isScreen ? reportingValidatorType : declare(schema));
    if (isScreen) await writeScreenDefinition(`${root}/dist/screen-definition`, schema);
  }
  return bundled;
}

function generate(schema, others) {
  const isScreen = schema.$schema === draft07;
  const Dialect = isScreen ? Ajv : Ajv2020;
  const ajv = new Dialect({
    allErrors: true,
    // One function per definition, so that Node.js compiles only the blocks that a document uses.
    inlineRefs: !isScreen,
    // The linter has its own messages.
    messages: !isScreen,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    discriminator: true,
    code: { source: true, esm: true, lines: true },
  });
  addFormats.default(ajv);
  addNumberKeywords(ajv);
  if (!isScreen) for (const other of others) ajv.addSchema(other);
  ajv.addSchema(schema);
  const exported = schema.$defs
    ? Object.fromEntries(
        Object.keys(schema.$defs).map((key) => [key, `${schema.$id}#/$defs/${key}`]),
      )
    : { validate: schema.$id };
  return standaloneCode.default(ajv, exported);
}

/** Returns code that attaches to each validator the forms that numbers are converted to before validation. */
function numberForms({ $id, $defs = {} }) {
  return Object.entries($defs)
    .map(([name, definition]) => [name, formsOf(definition, `${$id}/${name}`)])
    .filter(([, forms]) => forms)
    .map(([name, forms]) => `\n${name}.numbers = ${JSON.stringify(forms)};`)
    .join('');
}

/**
 * Makes the validator pass each violation to `report` (`validate(data, { report })`) instead of collecting them
 * in lists, because a definition may have a million violations.
 */
function reportViolations(code) {
  const reporting = code
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
  // anyOf and similar keywords discard violations, so they cannot report them immediately.
  if (reporting.includes('vErrors'))
    throw new Error('This version of Ajv generates different code.');
  return reporting;
}

/** Removes titles and descriptions, which a validator does not need. */
function withoutAnnotations(schema) {
  if (Array.isArray(schema)) return schema.map(withoutAnnotations);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(
    ([key, value]) => !annotations.has(key) || typeof value === 'object',
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutAnnotations(value)]));
}

/** Bundles Ajv's small runtime helpers into the file, so that a validator loads nothing else. */
async function bundle(root, code, outfile) {
  const { metafile } = await build({
    absWorkingDir: root,
    metafile: true,
    stdin: { contents: code, resolveDir: root },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    outfile,
    logLevel: 'warning',
  });
  return Object.keys(metafile.inputs).map((file) => `${root}/${file}`);
}

function declare(schema) {
  const validators = Object.keys(schema.$defs).map(
    (name) => `export declare const ${name}: GeneratedValidator<${name}>;`,
  );
  return `${validatorType}${[...typesOf(schema), ...validators].join('\n')}\n`;
}

async function writeScreenDefinition(file, schema) {
  const { code, types } = screenDefinition(schema);
  await writeFile(`${file}.js`, code);
  await writeFile(`${file}.d.ts`, types);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildValidators(fileURLToPath(new URL('..', import.meta.url)));
}
