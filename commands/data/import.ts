import { resolve } from 'node:path';
import { AppError } from '../../src/base/errors.js';
import type { Config } from '../../src/config/config.js';
import { findSecrets } from '../../src/config/secrets.js';
import { withProgress } from '../../src/terminal/spinner.js';
import { assertReadable, fromFile, fromInput } from '../../src/transfer/export-file.js';
import { fingerprints } from '../../src/transfer/fingerprints.js';
import { configuredAddress, openTarget } from '../../src/transfer/open-place.js';
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
    const command = 'msgsite data import';
    const target = await openTarget(address, { command, clock, config, from: file });
    try {
      const done = await withProgress(stderr, (onProgress) => {
        const reading = {
          signal,
          onProgress: (records: number, kind: string) =>
            onProgress(`Importing ${kind} records`, records),
        };
        return importData(target, documentOf(context, file, reading), {
          clock,
          signal,
          onProgress,
        });
      });
      const words = { from: file, to: target.name };
      reportTransfer(context, done, words, `Imported ${file} into ${target.name}:`);
      noteSecrets(context, done.secrets);
      const here = fingerprints({ ...(await findSecrets(config.data)), ...givenSecrets(config) });
      warnOfOtherSecrets(context, done.header.secrets, here);
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

/** Secrets that are set, without those that are not, which a folder may know. */
function givenSecrets(config: Config) {
  const { jwtSecret, gatewayKey, encryptionSecret } = config;
  const given = Object.entries({ jwtSecret, gatewayKey, encryptionSecret });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}
