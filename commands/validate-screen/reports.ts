import { availableParallelism } from 'node:os';
import { untilInterrupted } from '../../src/base/every.js';
import { readInputStream, UnreadableInput, unreadable } from '../../src/base/files/input-file.js';
import { checkInterruptibly } from '../../src/screens/check/check-apart.js';
import type { CheckOptions } from '../../src/screens/check/check-file.js';
import { checkFiles } from '../../src/screens/check/check-files.js';
import { type FileReport, plural } from '../../src/screens/check/findings.js';
import { selectFiles } from '../../src/screens/check/select-files.js';
import type { CommandContext } from '../command.js';
import type { ValidateOptions } from './options.js';

/** What is checked: the files that were asked for, or standard input. */
export interface Selection {
  /** As they are reported. */
  readonly files: readonly string[];
  /** Whether they are known to be regular files. */
  readonly areRegular?: boolean;
  /** What came in on standard input, instead of files. */
  readonly bytes?: Buffer;
}

/** Finds what is to be checked, before the first file is read; undefined when it was interrupted. */
export function select(
  context: CommandContext,
  options: ValidateOptions,
): Promise<Selection | undefined> {
  const work = options.files.includes('-')
    ? readStandardInput(context, options)
    : searchFiles(context, options);
  return untilInterrupted(context.signal, work);
}

async function searchFiles(
  { cwd, output }: CommandContext,
  options: ValidateOptions,
): Promise<Selection> {
  const { files, areRegular, ignored, links } = await selectFiles(options.files, cwd);
  if (files.length === 0) output.note(`All ${ignored} files are left out by the ignore file.`);
  if (links > 0) {
    output.note(
      `${plural(links, 'link')} to definitions ${links === 1 ? 'was' : 'were'} not followed; name one to check what it leads to.`,
    );
  }
  return { files, areRegular };
}

async function readStandardInput(
  { stdin }: CommandContext,
  { stdinFilename, mostBytes }: ValidateOptions,
): Promise<Selection> {
  const bytes = await readInputStream(stdin, mostBytes).catch((error: unknown) => {
    throw error instanceof UnreadableInput ? unreadable('Standard input', error) : error;
  });
  return { files: [stdinFilename], bytes };
}

/** Checks what was selected; the reports come one by one. */
export function checkAll(
  { files, areRegular = false, bytes }: Selection,
  { lint, fold }: Required<Pick<CheckOptions, 'lint' | 'fold'>>,
  { cwd, signal }: CommandContext,
  { watch, mostBytes }: ValidateOptions,
): AsyncIterable<FileReport> {
  if (bytes) return checkInput(files[0] ?? '', bytes, lint, signal);
  // Between two changes of a file there is little to do, and threads would start for each.
  const cores = () => (watch ? 1 : availableParallelism());
  return checkFiles(files, { cwd, lint, fold, cores, mostBytes, areRegular, signal });
}

async function* checkInput(
  file: string,
  bytes: Buffer,
  lint: CheckOptions['lint'],
  signal: AbortSignal,
): AsyncGenerator<FileReport> {
  const report = await checkInterruptibly({ file, bytes, lint }, signal);
  if (report) yield report;
}
