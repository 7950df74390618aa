import { join, resolve } from 'node:path';
import { AppError, exitCodes } from '../../src/base/errors.js';
import { every } from '../../src/base/every.js';
import { fileMark } from '../../src/base/files/input-file.js';
import { configName } from '../../src/screens/check/config.js';
import { ignoreName, selectFiles } from '../../src/screens/check/select-files.js';
import type { CommandContext } from '../command.js';
import type { ValidateOptions } from './options.js';

/** Interval between two checks for changed files, in milliseconds. */
const interval = 300;

/**
 * Runs `validate` now and whenever a file, the configuration or the ignore file changes, until the user interrupts.
 * Changes are detected by file size and modification time, which works on every file system.
 */
export async function watch(
  context: CommandContext,
  options: ValidateOptions,
  validate: () => Promise<number>,
): Promise<number> {
  const { clock, signal, output } = context;
  let known: string | undefined;
  const poll = async () => {
    const state = await stateOf(context, options);
    if (state === known) return;
    known = state;
    await reportErrors(validate, context);
    output.note(output.messageColors.dim('Waiting for changes. Press Ctrl+C to stop.'));
  };
  await every(interval, poll, { clock, signal });
  return exitCodes.interrupted;
}

/** Prints errors that an edit can fix, such as an invalid configuration, so that the watch continues. */
async function reportErrors(
  validate: () => Promise<number>,
  { output }: CommandContext,
): Promise<void> {
  try {
    await validate();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    output.warn(error.message);
  }
}

async function stateOf(
  { cwd }: CommandContext,
  { files, config }: ValidateOptions,
): Promise<string> {
  const selected = await selectFiles(files, cwd).catch((error: unknown) => {
    if (error instanceof AppError) return { files: [] };
    throw error;
  });
  const extra = [resolve(cwd, config ?? configName), join(cwd, ignoreName)];
  const all = [...extra, ...selected.files.map((file) => resolve(cwd, file))];
  const marks = await Promise.all(all.map(async (file) => `${file} ${await fileMark(file)}`));
  return marks.join('\n');
}
