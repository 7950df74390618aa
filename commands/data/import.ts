import { resolve } from 'node:path';
import { allKinds as kinds } from '../../src/app/data-records.js';
import { configuredAddress, openTarget, secretsOf } from '../../src/app/open-transfer.js';
import { AppError } from '../../src/base/errors.js';
import { lazy } from '../../src/base/single-flight.js';
import { withSpinner } from '../../src/terminal/spinner.js';
import { fromFile, fromInput } from '../../src/transfer/export-file.js';
import { importData } from '../../src/transfer/transfer.js';
import type { Command, CommandInput } from '../command.js';
import { configOf, configOptions } from '../config-options.js';
import { settingsOf } from '../taken-settings.js';
import { reportTransfer, warnOfOtherSecrets } from './transfer-report.js';

export const command: Command = {
  arguments: [
    { name: '<file>', description: 'the export file, compressed or not; - for standard input' },
  ],
  description:
    'Import an export into an empty data folder or database. Every line is checked, then everything is read back and compared. Until then, the data cannot be served. To resume an interrupted import, run it again.',
  options: configOptions(...settingsOf('data import')),
  examples: [
    {
      command: 'msgsite data import shop.jsonl.gz --data ./restored',
      description: 'Import into a new folder',
    },
    {
      command:
        'age -d shop.age | msgsite data import - --database postgres://msgsite@db.example/shop',
      description: 'Import into an empty database',
    },
  ],
  async run(context, input) {
    const { clock, signal, stdin, cwd } = context;
    const config = configOf(context, input);
    const file = fileOf(input);
    const address = configuredAddress(config);
    const label = 'data import';
    const target = lazy(() => openTarget(address, { label, clock, config, from: file }));
    try {
      const done = await withSpinner(context, 'Opening', (onProgress) =>
        importData(
          target.get,
          (reading) =>
            file === '-' ? fromInput(stdin, reading) : fromFile(resolve(cwd, file), reading),
          { kinds, clock, signal, onProgress },
        ),
      );
      const { name } = await target.get();
      const words = { from: file, to: name };
      reportTransfer(context, done, words, `Imported ${file} into ${name}:`);
      warnOfOtherSecrets(context, done.header.secrets, await secretsOf(config, config.data));
    } finally {
      await (await target.made())?.close();
    }
    return 0;
  },
};

function fileOf({ arguments: [file] }: CommandInput): string {
  if (typeof file === 'string') return file;
  throw new AppError('usage', 'Specify an export file, or - for standard input.');
}
