import { relative } from 'node:path';
import { checkData } from '../../src/app/check-data.js';
import { AppError, exitCodes } from '../../src/base/errors.js';
import { escapeForeign } from '../../src/base/foreign-text.js';
import type { Finding } from '../../src/storage/json/data-checker.js';
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
    const { clock, signal } = context;
    const findings: Finding[] = [];
    const report = (finding: Finding) => findings.push(finding);
    const checked = await checkData({ config, clock, label: 'data check', report, signal });
    if (signal.aborted) throw new AppError('interrupted', 'Interrupted.');
    const isSound = findings.every(({ severity }) => severity !== 'error');
    context.output.result({ ok: isSound, checked, findings }, () =>
      describe(findings, config.data, context),
    );
    return isSound ? exitCodes.done : exitCodes.failure;
  },
};

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
