import { resolve } from 'node:path';
import { allKinds as kinds } from '../../src/app/data-records.js';
import { configuredAddress, openTarget, secretsOf } from '../../src/app/open-transfer.js';
import { AppError } from '../../src/base/errors.js';
import { withProgress } from '../../src/terminal/spinner.js';
import { assertReadable, fromFile, fromInput } from '../../src/transfer/export-file.js';
import { importData } from '../../src/transfer/transfer.js';
import type { Command, CommandContext, CommandInput } from '../command.js';
import { configOf, configOptions } from '../config-options.js';
import { noteSecrets, reportTransfer, warnOfOtherSecrets } from './transfer-report.js';

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
    const { clock, signal, stderr } = context;
    const config = configOf(context, input);
    const file = fileOf(input);
    if (file !== '-') await assertReadable(resolve(context.cwd, file));
    const address = configuredAddress(config);
    const label = 'data import';
    const target = await openTarget(address, { label, clock, config, from: file });
    try {
      const done = await withProgress(stderr, (onProgress) => {
        const reading = {
          kinds,
          signal,
          onProgress: (records: number, kind: string) =>
            onProgress(`Importing ${kind} records`, records),
        };
        const options = { kinds, clock, signal, onProgress };
        return importData(target, documentOf(context, file, reading), options);
      });
      const words = { from: file, to: target.name };
      reportTransfer(context, done, words, `Imported ${file} into ${target.name}:`);
      noteSecrets(context, done.secrets);
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

function documentOf(
  { stdin, cwd }: CommandContext,
  file: string,
  options: Parameters<typeof fromFile>[1],
) {
  return file === '-' ? fromInput(stdin, options) : fromFile(resolve(cwd, file), options);
}
