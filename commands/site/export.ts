import { resolve } from 'node:path';
import { AppError } from '../../src/base/errors.js';
import { isStandardOutput, writeOutputFile } from '../../src/base/files/output-file.js';
import type { Command, CommandContext, CommandInput } from '../command.js';
import { siteOptions, withSite } from './site-context.js';

export const command: Command = {
  description:
    'Export all products as CSV in UTF-8, in the format that `site import` reads. Cells that a spreadsheet would run as a formula are prefixed with an apostrophe, which the import removes. If the data is in files, stop serve first, or export the same CSV from its admin page.',
  options: [
    { flags: '-o, --output <file>', description: 'file to write (default: -, standard output)' },
    ...siteOptions,
  ],
  examples: [
    { command: 'msgsite site export > products.csv', description: 'Export all products' },
    { command: 'msgsite site export -o products.csv --json', description: 'Export from a script' },
  ],
  async run(context, input) {
    const file = await fileOf(context, input);
    const { output, cwd, signal } = context;
    if (output.json && file === undefined) {
      throw new AppError(
        'usage',
        '--json requires --output, because both would write to standard output.',
      );
    }
    return withSite(context, input, {
      label: 'site export',
      async work({ content }) {
        const csv = await content.exportProducts();
        if (file === undefined) output.write(csv);
        else {
          await writeOutputFile(resolve(cwd, file), csv, { streams: context, signal });
          output.result({ file }, () => `Wrote the products to ${file}.`);
        }
      },
    });
  },
};

/** Returns the file to write; undefined for standard output, even if it is specified as a file. */
async function fileOf({ cwd }: CommandContext, { options }: CommandInput) {
  const { output } = options;
  if (typeof output !== 'string' || (await isStandardOutput(cwd, output))) return undefined;
  return output;
}
