// schemas/<name>.schema.json -> dist/validators/<name>.js: Ajv validators as standalone code.
// A schema with `$defs` gives one exported function per definition; one without gives `validate`.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import addFormats from 'ajv-formats';
import { build } from 'esbuild';

const draft07 = 'http://json-schema.org/draft-07/schema#';

const annotations = new Set(['title', 'description']);

export async function buildValidators(root) {
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
    await bundle(generate(withoutAnnotations(schema), others), `${target}/${name}.js`);
    await writeFile(`${target}/${name}.d.ts`, declare(schema));
  }
}

function generate(schema, others) {
  const Dialect = schema.$schema === draft07 ? Ajv : Ajv2020;
  const ajv = new Dialect({
    allErrors: true,
    // One function a definition, so that a block that a document does not have is never compiled.
    inlineRefs: schema.$schema !== draft07,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    discriminator: true,
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

/** The words for people in a schema are for editors and documentation; the validator needs none. */
function withoutAnnotations(schema) {
  if (Array.isArray(schema)) return schema.map(withoutAnnotations);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(
    ([key, value]) => !annotations.has(key) || typeof value === 'object',
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutAnnotations(value)]));
}

/** Folds Ajv's small run-time helpers into the file, so that loading a validator loads nothing else. */
async function bundle(code, outfile) {
  await build({
    stdin: { contents: code, resolveDir: new URL('.', import.meta.url).pathname },
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
