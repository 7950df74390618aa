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
    'Check every file of a data folder and list all faults with file, line and advice. Nothing is changed, and a server may be running. Exit code: 0 no faults, 1 faults. If MSGSITE_ENCRYPTION_SECRET is set, encrypted messages are checked too. With --repair, first move damaged records to the folder damaged/ and restore them from other copies where possible. Before a repair, stop the server and copy the folder.',
  options: [
    ...configOptions(...settingsOf('data check')),
    {
      flags: '--repair',
      description: 'move damaged records to damaged/ and restore them from other copies',
    },
  ],
  examples: [
    { command: 'msgsite data check', description: 'Check ./data' },
    {
      command: 'msgsite data check --data /var/lib/msgsite --json',
      description: 'Print JSON for a script',
    },
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
      // Repairs made before the error are not undone.
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

/** Returns a location and its message on one line. Line breaks in names or records are escaped. */
function wordsOf({ file, line, message }: RepairStep, folder: string): string {
  const location = `${relative(folder, file)}${line === undefined ? '' : `:${line}`}`;
  return `${escapeForeign(location)}  ${escapeForeign(message.replaceAll(folder + sep, ''))}`;
}
