import { resolve } from 'node:path';
import { allKinds as kinds } from '../../src/app/data-records.js';
import { configuredAddress, openSource } from '../../src/app/open-transfer.js';
import { AppError } from '../../src/base/errors.js';
import { isStandardOutput } from '../../src/base/files/output-file.js';
import { withSpinner } from '../../src/terminal/spinner.js';
import { sendExport, writeExport } from '../../src/transfer/export-file.js';
import { exportData } from '../../src/transfer/transfer.js';
import type { Command, CommandContext, CommandInput } from '../command.js';
import { configOf, configOptions } from '../config-options.js';
import { settingsOf } from '../taken-settings.js';
import { noteSecrets, reportTransfer } from './transfer-report.js';

export const command: Command = {
  description:
    'Export all data of a folder or database as JSON Lines, with counts and checksums. A database may be in use and is read from a single snapshot. A folder must not be in use. Secrets are not included. The file contains e-mail addresses, password hashes and messages, so protect it like the data.',
  options: [
    {
      flags: '-o, --output <file>',
      description:
        'file to write, compressed if its name ends in .gz (default: -, standard output)',
    },
    ...configOptions(...settingsOf('data export')),
  ],
  examples: [
    { command: 'msgsite data export -o shop.jsonl.gz', description: 'Export everything in ./data' },
    {
      command:
        'msgsite data export --database postgres://msgsite@db.example/shop | age -r KEY > shop.age',
      description: 'Export a database and encrypt the file',
    },
  ],
  async run(context, input) {
    const { clock, signal, stdout, output, cwd } = context;
    const config = configOf(context, input);
    const file = await fileOf(context, input);
    if (output.json && file === undefined) {
      throw new AppError(
        'usage',
        '--json requires --output, because both would write to standard output.',
      );
    }
    const address = configuredAddress(config);
    const label = 'data export';
    const source = await openSource(address, { label, clock, config, alone: false });
    try {
      const done = await withSpinner(context, 'Opening', (onProgress) =>
        exportData(
          source,
          (stream) =>
            file === undefined
              ? sendExport(stdout, stream)
              : writeExport(resolve(cwd, file), stream, { streams: context, signal }),
          { kinds, clock, signal, onProgress },
        ),
      );
      if (file === undefined) noteSecrets(context, done.secrets);
      else {
        const words = { file, from: source.name };
        reportTransfer(context, done, words, `Exported ${source.name} to ${file}:`);
      }
    } finally {
      await source.close();
    }
    return 0;
  },
};

/** Returns the file to write; undefined for standard output. */
async function fileOf({ cwd }: CommandContext, { options }: CommandInput) {
  const { output } = options;
  if (typeof output !== 'string' || (await isStandardOutput(cwd, output))) return undefined;
  return output;
}
