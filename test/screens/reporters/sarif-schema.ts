import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The published schema of SARIF 2.1.0, in the 2020-12 dialect of JSON Schema. */
export const sarifSchema: object = JSON.parse(
  readFileSync(
    // The package exports only its program, but the schema is in the same package.
    fileURLToPath(
      new URL(
        '../assets/sarif-2.1.0.schema.json',
        import.meta.resolve('@microsoft/sarif-multitool-ts'),
      ),
    ),
    'utf8',
  ),
);
