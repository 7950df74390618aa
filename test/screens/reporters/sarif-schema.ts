import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The schema of SARIF 2.1.0 as its authors publish it, in the dialect of 2020-12. */
export const sarifSchema: object = JSON.parse(
  readFileSync(
    // The package exports only its program; the schema is beside it.
    fileURLToPath(
      new URL(
        '../assets/sarif-2.1.0.schema.json',
        import.meta.resolve('@microsoft/sarif-multitool-ts'),
      ),
    ),
    'utf8',
  ),
);
