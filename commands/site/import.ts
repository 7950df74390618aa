import { resolve } from 'node:path';
import { operator } from '../../src/base/audit.js';
import { AppError } from '../../src/base/errors.js';
import {
  readInputFile,
  readInputStream,
  UnreadableInput,
  unreadable,
} from '../../src/base/files/input-file.js';
import type { ImportCounts } from '../../src/site/csv/import-products.js';
import { maxCsvBytes } from '../../src/site/csv/read-table.js';
import { importAuditFields } from '../../src/site/routes/csv-routes.js';
import type { Command, CommandContext, CommandInput } from '../command.js';
import { siteOptions, withSite } from './site-context.js';

export const command: Command = {
  arguments: [{ name: '<file>', description: 'a CSV file in UTF-8; - for standard input' }],
  description:
    'Import products from a CSV file, either all of them or none. The first line names the columns, in any order: id, name, tagline, description, price, category, features (separated by |) and image. Cells are separated by commas or semicolons. A row with an id changes the named columns of that product. A row without an id adds a product. If the file has errors, they are listed by line and column, and nothing is changed. If the data is in files, stop serve first, or import the same CSV on its admin page.',
  options: [
    { flags: '--dry-run', description: 'only report what would be created and changed' },
    ...siteOptions,
  ],
  examples: [
    { command: 'msgsite site import products.csv --dry-run', description: 'Check a file' },
    { command: 'msgsite site import products.csv', description: 'Add and change products' },
  ],
  async run(context, input) {
    const isDryRun = input.options.dryRun === true;
    const file = fileOf(input);
    const bytes = await bytesOf(context, file);
    return withSite(context, input, {
      label: 'site import',
      async work({ content, audit }) {
        const counts = await content.importProducts({ bytes, isDryRun });
        if (!isDryRun) await audit(operator, importAuditFields(counts));
        context.output.result({ ...counts, dryRun: isDryRun }, () => describe(counts, isDryRun));
      },
    });
  },
};

function fileOf({ arguments: [file] }: CommandInput): string {
  if (typeof file === 'string') return file;
  throw new AppError('usage', 'Specify a CSV file, or - for standard input.');
}

async function bytesOf({ stdin, cwd }: CommandContext, file: string): Promise<Buffer> {
  const options = { name: file, maxBytes: maxCsvBytes };
  if (file !== '-') return readInputFile(resolve(cwd, file), options);
  try {
    return await readInputStream(stdin, maxCsvBytes);
  } catch (error) {
    throw error instanceof UnreadableInput ? unreadable('Standard input', error) : error;
  }
}

function describe({ created, changed, unchanged }: ImportCounts, isDryRun: boolean): string {
  const counts = `${created} created, ${changed} changed, ${unchanged} unchanged`;
  return isDryRun ? `Dry run: ${counts}. Nothing was changed.` : `Products: ${counts}.`;
}
