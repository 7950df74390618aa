import { relative, sep } from 'node:path';
import { checkData } from '../../src/app/check-data.js';
import { AppError, exitCodes } from '../../src/base/errors.js';
import { escapeForeign } from '../../src/base/foreign-text.js';
import type { Finding, RepairStep } from '../../src/storage/json/check/data-checker.js';
import type { Command, CommandContext } from '../command.js';
import { configOf, configOptions } from '../config-options.js';
import { settingsOf } from '../taken-settings.js';

export const command: Command = {
  description:
    'Read every file of a data folder, change nothing, and list all faults with file, line and advice. A server may run at the same time. Exits with 1 if there is a fault. If MSGSITE_ENCRYPTION_SECRET is set, messages encrypted with it are decrypted too. With --repair, first set damaged parts aside in the folder damaged/ and restore what can be restored. No server may run then; copy the folder first.',
  options: [
    ...configOptions(...settingsOf('data check')),
    {
      flags: '--repair',
      description: 'set damaged records aside and restore other copies of them',
    },
  ],
  examples: [
    { command: 'msgsite data check', description: 'Check ./data' },
    { command: 'msgsite data check --data /var/lib/msgsite --json', description: 'For a script' },
    { command: 'msgsite data check --repair', description: 'Repair ./data and check it' },
  ],
  async run(context, input) {
    const config = configOf(context, input);
    const { clock, signal } = context;
    const repairs: RepairStep[] = [];
    const { checked, findings } = await checkData({
      config,
      clock,
      label: 'data check',
      signal,
      tell: input.options.repair === true ? (done) => repairs.push(done) : undefined,
    }).catch((error) => {
      // Repairs before the error remain.
      for (const step of repairs) context.output.note(`done  ${wordsOf(step, config.data)}`);
      throw error;
    });
    if (signal.aborted) throw new AppError('interrupted', 'Interrupted.');
    const isSound = findings.every(({ severity }) => severity !== 'error');
    context.output.result(
      { ok: isSound, checked, ...(input.options.repair === true ? { repairs } : {}), findings },
      () => describe(repairs, findings, config.data, context),
    );
    return isSound ? exitCodes.done : exitCodes.failure;
  },
};

function describe(
  repairs: readonly RepairStep[],
  findings: readonly Finding[],
  folder: string,
  context: CommandContext,
): string {
  const { green, red, yellow, dim } = context.output.colors;
  const words = (step: RepairStep) => wordsOf(step, folder);
  const done = repairs.map((step) => `${green('done ')} ${words(step)}`);
  const lines = findings.map((finding) => {
    const mark = finding.severity === 'error' ? red('error') : yellow('note ');
    return `${mark} ${words(finding)}\n      ${dim(escapeForeign(finding.advice))}`;
  });
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const summary =
    errors === 0
      ? green('The data is sound.')
      : red(`${errors} ${errors === 1 ? 'fault' : 'faults'} found.`);
  return [...done, ...lines, summary].join('\n');
}

/** Returns a place and its message on one line; line breaks in names or records are escaped. */
function wordsOf({ file, line, message }: RepairStep, folder: string): string {
  const place = `${relative(folder, file)}${line === undefined ? '' : `:${line}`}`;
  return `${escapeForeign(place)}  ${escapeForeign(message.replaceAll(folder + sep, ''))}`;
}
