import { relative } from 'node:path';
import { AppError, exitCodes } from '../../src/base/errors.js';
import { systemFiles } from '../../src/base/files/file-layer.js';
import { escapeForeign } from '../../src/base/foreign-text.js';
import { messagingChecker } from '../../src/messaging/store-json/checker.js';
import { paymentChecker } from '../../src/payments/store-json/checker.js';
import { siteChecker } from '../../src/site/store-json/checker.js';
import { listFolder } from '../../src/storage/json/collection-files.js';
import type { Finding } from '../../src/storage/json/data-checker.js';
import { readDataFormat } from '../../src/storage/json/data-format.js';
import { readDataLock } from '../../src/storage/json/data-lock.js';
import { markedFolder, readFolderMark } from '../../src/storage/json/folder-mark.js';
import { assertUnmarked } from '../../src/storage/transfer-mark.js';
import { deliveryChecker } from '../../src/webhooks/store-json/checker.js';
import type { Command, CommandContext } from '../command.js';
import { configOf, configOptions } from '../config-options.js';

export const command: Command = {
  description:
    'Read every file of a data folder, change nothing, and list what is wrong: the file, the line, and what to do. No serve may run on the folder meanwhile. Exits with 1 where something is wrong. With MSGSITE_ENCRYPTION_SECRET set, messages written under it are decrypted too.',
  options: [...configOptions('data')],
  examples: [
    { command: 'msgsite data check', description: 'Check ./data' },
    { command: 'msgsite data check --data /var/lib/msgsite --json', description: 'For a script' },
  ],
  async run(context, input) {
    const config = configOf(context, input);
    await assertCheckable(config.data);
    await readDataFormat(config.data);
    const mark = await readFolderMark(config.data);
    if (mark?.state === 'importing') assertUnmarked(mark, markedFolder(config.data));
    const checkers = [
      siteChecker,
      messagingChecker(config.encryptionSecret),
      paymentChecker,
      deliveryChecker,
    ];
    const findings: Finding[] = [];
    for (const { check } of checkers) {
      await check(config.data, (finding) => findings.push(finding));
      if (context.signal.aborted) throw new AppError('interrupted', 'Interrupted.');
    }
    const checked = checkers.map(({ name }) => name);
    const isSound = findings.every(({ severity }) => severity !== 'error');
    context.output.result({ ok: isSound, checked, findings }, () =>
      describe(findings, config.data, context),
    );
    return isSound ? exitCodes.done : exitCodes.failure;
  },
};

async function assertCheckable(folder: string): Promise<void> {
  if ((await listFolder(systemFiles, folder)).length === 0) {
    throw new AppError('unreadable_input', `There is no data in ${folder}.`, {
      hint: 'Name the data folder with --data or MSGSITE_DATA.',
    });
  }
  const holder = await readDataLock(folder);
  if (!holder) return;
  throw new AppError(
    'data_in_use',
    `${folder} is in use by ${holder.label} (process ${holder.process.pid} on ${holder.process.host}).`,
    { hint: 'Files that change while they are read look damaged. Stop that process first.' },
  );
}

function describe(findings: readonly Finding[], folder: string, context: CommandContext): string {
  const { green, red, yellow, dim } = context.output.colors;
  const lines = findings.map(({ severity, file, line, message, advice }) => {
    const place = `${relative(folder, file)}${line === undefined ? '' : `:${line}`}`;
    const mark = severity === 'error' ? red('error') : yellow('note ');
    // Line breaks in names of files or in records would make lines of their own.
    const [where, what, how] = [place, message, advice].map(escapeForeign);
    return `${mark} ${where}  ${what}\n      ${dim(how ?? '')}`;
  });
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const summary =
    errors === 0
      ? green('The data is sound.')
      : red(`${errors} ${errors === 1 ? 'fault' : 'faults'} found.`);
  return [...lines, summary].join('\n');
}
