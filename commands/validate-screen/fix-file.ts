import { resolve } from 'node:path';
import { readRegularFile } from '../../src/base/files/input-file.js';
import { checkInterruptibly } from '../../src/screens/check/check-file.js';
import type { FileReport } from '../../src/screens/check/findings.js';
import { mendText } from '../../src/screens/check/mend.js';
import type { LintOptions } from '../../src/screens/rules/lint.js';
import type { CommandContext } from '../command.js';

interface FixOptions {
  readonly lint: LintOptions;
  /** Larger files are not read, in bytes. */
  readonly mostBytes: number;
}

interface FixedFile {
  /** What is left. */
  readonly report: FileReport;
  readonly fixes: number;
}

/**
 * Makes the fixes of a file that was found to have some, in its place and in one step, and checks what is left.
 * An interruption leaves the file as it is, or as it shall be.
 */
export async function fixFile(
  context: CommandContext,
  report: FileReport,
  { lint, mostBytes }: FixOptions,
): Promise<FixedFile> {
  if (!report.findings.some(({ fix }) => fix !== undefined)) return { report, fixes: 0 };
  const { file } = report;
  const path = resolve(context.cwd, file);
  const before = readRegularFile(path, mostBytes).toString('utf8');
  const { text, fixes } = await mendText(before, lint, file);
  if (fixes === 0 || context.signal.aborted) return { report, fixes: 0 };
  const { writeOutputFile } = await import('../../src/base/files/output-file.js');
  await writeOutputFile(path, text, { streams: context, signal: context.signal });
  const bytes = Buffer.from(text);
  return {
    report: (await checkInterruptibly({ file, bytes, lint }, context.signal)) ?? report,
    fixes,
  };
}
