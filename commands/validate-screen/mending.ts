import { resolve } from 'node:path';
import { AppError } from '../../src/base/errors.js';
import { readRegularFile } from '../../src/base/files/input-file.js';
import { breakCommands, escapeForeignLines } from '../../src/base/foreign-text.js';
import { type FileReport, plural } from '../../src/screens/check/findings.js';
import {
  canBeMended,
  type MendedContent,
  mendContent,
  writeMended,
} from '../../src/screens/check/mend-file.js';
import type { LintOptions } from '../../src/screens/rules/lint.js';
import type { CommandContext } from '../command.js';
import type { ValidateOptions } from './options.js';
import type { Selection } from './reports.js';

/** How far mending came. */
export interface Mending {
  /** The report of what is left of a file; undefined when it was interrupted. */
  file(report: FileReport): Promise<FileReport | undefined>;
  /** Says what was mended. */
  end(): void;
  /** Files that could not be written. */
  readonly failed: number;
}

/** Mends the files of a run, or standard input, or shows what would be mended. */
export function openMending(
  context: CommandContext,
  { mend, mostBytes }: ValidateOptions,
  { selection, lint }: { readonly selection: Selection; readonly lint: LintOptions },
): Mending {
  const { cwd, output, signal } = context;
  const dryRun = mend?.dryRun === true;
  const totals = { fixed: 0, files: 0, failed: 0 };

  async function mendOne(report: FileReport): Promise<FileReport | undefined> {
    const { file } = report;
    const bytes = selection.bytes ?? readRegularFile(resolve(cwd, file), mostBytes);
    const mended = await mendContent({ file, bytes, lint }, signal);
    if (mended === undefined) return undefined;
    await hand(mended);
    if (mended.fixed > 0) {
      totals.fixed += mended.fixed;
      totals.files += 1;
    }
    return { ...mended.report, fixed: mended.fixed };
  }

  /** Gives what was mended to whoever wants it. */
  async function hand(mended: MendedContent): Promise<void> {
    const { report, before, after } = mended;
    if (dryRun) {
      if (before !== after && mend.onStdout) output.write(await differenceOf(report.file, mended));
    } else if (selection.bytes) output.write(after);
    else if (before !== after) await writeMended(resolve(cwd, report.file), mended);
  }

  return {
    async file(report) {
      if (!canBeMended(report)) {
        if (selection.bytes && !dryRun) output.write(selection.bytes.toString('utf8'));
        return { ...report, fixed: 0 };
      }
      try {
        return await mendOne(report);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        output.warn(error.message);
        totals.failed += 1;
        return { ...report, fixed: 0 };
      }
    },
    end() {
      const { fixed, files } = totals;
      const what = `${plural(fixed, 'finding')} in ${plural(files, 'file')}`;
      if (fixed > 0) output.note(dryRun ? `--fix would mend ${what}.` : `Mended ${what}.`);
      else output.note('Nothing was found that --fix can mend.');
    },
    get failed() {
      return totals.failed;
    },
  };
}

/** The lines that change, as a unified difference that cannot steer a terminal or a CI. */
async function differenceOf(
  file: string,
  { before, after }: Pick<MendedContent, 'before' | 'after'>,
): Promise<string> {
  const { createTwoFilesPatch } = await import('diff');
  const lines = (text: string): string => text.replaceAll('\r\n', '\n').replaceAll('\t', '  ');
  const patch = createTwoFilesPatch(`a/${file}`, `b/${file}`, lines(before), lines(after));
  return breakCommands(escapeForeignLines(patch.replace(/^=+\n/, '').replaceAll('\t', ' ')));
}
