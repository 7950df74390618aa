import { resolve } from 'node:path';
import { allKinds as kinds } from '../../src/app/data-records.js';
import { configuredAddress, openTarget, secretsOf } from '../../src/app/open-transfer.js';
import { AppError } from '../../src/base/errors.js';
import { withSpinner } from '../../src/terminal/spinner.js';
import { assertReadable, fromFile, fromInput } from '../../src/transfer/export-file.js';
import { importData } from '../../src/transfer/transfer.js';
import type { Command, CommandInput } from '../command.js';
import { configOf, configOptions } from '../config-options.js';
import { reportTransfer, warnOfOtherSecrets } from './transfer-report.js';

export const command: Command = {
  arguments: [{ name: '<file>', description: 'an export, packed or not; - is standard input' }],
  description:
    'Fill an empty data folder or database from an export. Every line is checked, and in the end everything is read back and compared; until then nothing can be served from there. An import that was cut off goes on when it is run again.',
  options: configOptions('data', 'database'),
  examples: [
    {
      command: 'msgsite data import shop.jsonl.gz --data ./restored',
      description: 'Into a new folder',
    },
    {
      command:
        'age -d shop.age | msgsite data import - --database postgres://msgsite@db.example/shop',
      description: 'Into an empty database',
    },
  ],
  async run(context, input) {
    const { clock, signal, stdin, stderr, cwd } = context;
    const config = configOf(context, input);
    const file = fileOf(input);
    if (file !== '-') await assertReadable(resolve(cwd, file));
    const address = configuredAddress(config);
    const label = 'data import';
    const target = await openTarget(address, { label, clock, config, from: file });
    try {
      const done = await withSpinner(stderr, 'Opening', (onProgress) =>
        importData(
          target,
          (reading) =>
            file === '-' ? fromInput(stdin, reading) : fromFile(resolve(cwd, file), reading),
          { kinds, clock, signal, onProgress },
        ),
      );
      const words = { from: file, to: target.name };
      reportTransfer(context, done, words, `Imported ${file} into ${target.name}:`);
      warnOfOtherSecrets(context, done.header.secrets, await secretsOf(config, config.data));
    } finally {
      await target.close();
    }
    return 0;
  },
};

function fileOf({ arguments: [file] }: CommandInput): string {
  if (typeof file === 'string') return file;
  throw new AppError('usage', 'Name the file of an export, or - for standard input.');
}
