import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The package folder. Sources, compiled files and bundles are at different depths, so it is found by its manifest. */
export const packageFolder: string = fileURLToPath(
  ['../', '../../', '../../../']
    .map((up) => new URL(up, import.meta.url))
    .find((folder) => existsSync(new URL('package.json', folder))) ??
    new URL('../../', import.meta.url),
);

/** Returns the version in the package's manifest. */
export async function readPackageVersion(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(`${packageFolder}package.json`, 'utf8'));
  const { version } = manifest as { version?: unknown };
  return typeof version === 'string' ? version : 'unknown';
}

/** Returns the parsed schema file `schemas/<name>.schema.json`. */
export async function readSchema(name: string): Promise<{ readonly $defs?: object }> {
  const text = await readFile(`${packageFolder}schemas/${name}.schema.json`, 'utf8');
  return JSON.parse(text); // The build validates all schema files.
}

/**
 * Returns the examples in `schemas/<name>.examples.json`, by the names of the definition and the example. Returns an
 * empty object if there is no such file.
 */
export async function readExamples(
  name: string,
): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>> {
  const file = `${packageFolder}schemas/${name}.examples.json`;
  return existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : {};
}
