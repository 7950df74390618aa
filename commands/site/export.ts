import { resolve } from 'node:path';
import { AppError } from '../../src/base/errors.js';
import { isStandardOutput, writeOutputFile } from '../../src/base/files/output-file.js';
import type { Command, CommandContext, CommandInput } from '../command.js';
import { siteOptions, withSite } from './site-context.js';

export const command: Command = {
  description:
    'Write every product as CSV in UTF-8, in the form that `site import` reads. Cells that a spreadsheet would run as a formula are prefixed with an apostrophe, which the import removes. If the data is in files, a running serve blocks this command; its admin page exports the same CSV.',
  options: [
    { flags: '-o, --output <file>', description: 'file to write (default: - for standard output)' },
    ...siteOptions,
  ],
  examples: [
    { command: 'msgsite site export > products.csv', description: 'Every product' },
    { command: 'msgsite site export -o products.csv --json', description: 'From a script' },
  ],
  async run(context, input) {
    const file = await fileOf(context, input);
    const { output, cwd, signal } = context;
    if (output.json && file === undefined) {
      throw new AppError(
        'usage',
        '--json needs --output: standard output cannot hold both the CSV and the JSON.',
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

/** Returns the file to write; undefined for standard output, even if it is named as a file. */
async function fileOf({ cwd }: CommandContext, { options }: CommandInput) {
  const { output } = options;
  if (typeof output !== 'string' || (await isStandardOutput(cwd, output))) return undefined;
  return output;
}
