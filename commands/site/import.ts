import { resolve } from 'node:path';
import { AppError } from '../../src/base/errors.js';
import {
  readInputFile,
  readInputStream,
  UnreadableInput,
  unreadable,
} from '../../src/base/files/input-file.js';
import type { ImportCounts } from '../../src/site/csv/import-products.js';
import { mostCsvBytes } from '../../src/site/csv/read-table.js';
import { importedIds } from '../../src/site/routes/csv-routes.js';
import type { Command, CommandContext, CommandInput } from '../command.js';
import { siteOptions, withSite } from './site-context.js';

export const command: Command = {
  arguments: [{ name: '<file>', description: 'a CSV in UTF-8; - is standard input' }],
  description:
    'Take products from a CSV, all of them or none. The first line names columns: id, name, tagline, description, price, category, features (with | between them), image, in any order, parted by commas or semicolons. A row with an id changes that product, in the columns that are there; one without adds a product. Faults are listed by line and column, and nothing is changed then. On files it is refused beside a running serve, whose admin page does the same.',
  options: [
    { flags: '--dry-run', description: 'only say what would be created and changed' },
    ...siteOptions,
  ],
  examples: [
    { command: 'msgsite site import products.csv --dry-run', description: 'What would come of it' },
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
        if (!isDryRun) await audit(importedIds(counts));
        context.output.result({ ...counts, dryRun: isDryRun }, () => describe(counts, isDryRun));
      },
    });
  },
};

function fileOf({ arguments: [file] }: CommandInput): string {
  if (typeof file === 'string') return file;
  throw new AppError('usage', 'Name a CSV file, or - for standard input.');
}

async function bytesOf({ stdin, cwd }: CommandContext, file: string): Promise<Buffer> {
  const options = { name: file, mostBytes: mostCsvBytes };
  if (file !== '-') return readInputFile(resolve(cwd, file), options);
  try {
    return await readInputStream(stdin, mostCsvBytes);
  } catch (error) {
    throw error instanceof UnreadableInput ? unreadable('Standard input', error) : error;
  }
}

function describe({ created, changed, unchanged }: ImportCounts, isDryRun: boolean): string {
  const counts = `${created} created, ${changed} changed, ${unchanged} unchanged`;
  return isDryRun ? `Nothing was changed. It would be: ${counts}.` : `Products: ${counts}.`;
}
