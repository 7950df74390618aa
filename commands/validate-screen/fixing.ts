import { resolve } from 'node:path';
import { AppError } from '../../src/base/errors.js';
import { readRegularFile } from '../../src/base/files/input-file.js';
import { breakCommands, escapeForeignLines } from '../../src/base/foreign-text.js';
import {
  type FixedContent,
  fixContent,
  hasFixes,
  writeFixed,
} from '../../src/screens/check/fix-file.js';
import { type FileReport, plural } from '../../src/screens/findings/finding.js';
import type { LintOptions } from '../../src/screens/rules/lint.js';
import type { CommandContext } from '../command.js';
import type { Selection, ValidateOptions } from './options.js';

/** Fixes the files of a run or standard input, or shows the changes of a dry run. */
export function openFixing(
  context: CommandContext,
  { fix, maxBytes }: ValidateOptions,
  { selection, lint }: { readonly selection: Selection; readonly lint: LintOptions },
) {
  const { cwd, output, signal } = context;
  const dryRun = fix?.dryRun === true;
  const totals = { fixed: 0, files: 0, failed: 0 };

  async function fixOne(report: FileReport): Promise<FileReport | undefined> {
    const { file } = report;
    const bytes = selection.bytes ?? readRegularFile(resolve(cwd, file), maxBytes);
    const result = await fixContent({ file, bytes, lint }, signal);
    if (result === undefined) return undefined;
    await deliver(result);
    if (result.fixed > 0) {
      totals.fixed += result.fixed;
      totals.files += 1;
    }
    return { ...result.report, fixed: result.fixed };
  }

  /** Writes the fixed text to its file or to stdout. In a dry run, prints the differences. */
  async function deliver(result: FixedContent): Promise<void> {
    const { report, before, after } = result;
    if (dryRun) {
      if (before !== after && fix.onStdout) output.write(await differenceOf(report.file, result));
    } else if (selection.bytes) output.write(after);
    else if (before !== after) await writeFixed(resolve(cwd, report.file), result);
  }

  return {
    /** Returns the report with the remaining findings, or undefined if interrupted. */
    async file(report: FileReport): Promise<FileReport | undefined> {
      if (!hasFixes(report)) {
        if (selection.bytes && !dryRun) output.write(selection.bytes.toString('utf8'));
        return { ...report, fixed: 0 };
      }
      try {
        return await fixOne(report);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        output.warn(error.message);
        totals.failed += 1;
        return { ...report, fixed: 0 };
      }
    },
    /** Prints the number of fixes. */
    end(): void {
      const { fixed, files } = totals;
      const summary = `${plural(fixed, 'finding')} in ${plural(files, 'file')}`;
      if (fixed > 0) output.note(dryRun ? `--fix would fix ${summary}.` : `Fixed ${summary}.`);
      else output.note('No findings can be fixed with --fix.');
    },
    /** Number of files that could not be written. */
    get failed() {
      return totals.failed;
    },
  };
}

/** Returns the changes as a unified diff, with control sequences for terminals and commands for CI systems escaped. */
async function differenceOf(
  file: string,
  { before, after }: Pick<FixedContent, 'before' | 'after'>,
): Promise<string> {
  const { createTwoFilesPatch } = await import('diff');
  const lines = (text: string): string => text.replaceAll('\r\n', '\n').replaceAll('\t', '  ');
  const patch = createTwoFilesPatch(`a/${file}`, `b/${file}`, lines(before), lines(after));
  return breakCommands(escapeForeignLines(patch.replace(/^=+\n/, '').replaceAll('\t', ' ')));
}
