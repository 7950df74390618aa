import { availableParallelism } from 'node:os';
import { exitCodes } from '../../src/base/errors.js';
import { untilInterrupted } from '../../src/base/every.js';
import { readInputStream, UnreadableInput, unreadable } from '../../src/base/files/input-file.js';
import { escapeForeign } from '../../src/base/foreign-text.js';
import { type CheckOptions, checkInterruptibly } from '../../src/screens/check/check-file.js';
import { checkFiles } from '../../src/screens/check/check-files.js';
import { loadConfig } from '../../src/screens/check/config.js';
import { selectFiles } from '../../src/screens/check/select-files.js';
import { openRunStats, type RunStats } from '../../src/screens/check/timings.js';
import { type FileReport, plural, type Severity } from '../../src/screens/findings/finding.js';
import { showFirst } from '../../src/screens/findings/gather.js';
import {
  alignColumns,
  type Outcome,
  tooManyWarnings,
} from '../../src/screens/reporters/reporter.js';
import type { Output } from '../../src/terminal/output.js';
import type { CommandContext } from '../command.js';
import { openAccepting } from './accepting.js';
import { openFixing } from './fixing.js';
import type { Selection, ValidateOptions } from './options.js';
import { countsOnly, openOutputs } from './outputs.js';

/** Checks all files once and returns the exit code. */
export async function validateOnce(
  context: CommandContext,
  options: ValidateOptions,
): Promise<number> {
  const { cwd, signal } = context;
  const loaded = await loadConfig(cwd, options.config);
  const selection = await select(context, options);
  if (selection === undefined) return exitCodes.interrupted;
  const accepting = await openAccepting(context, options, { loaded, selection });
  const lint = {
    severities: loaded?.config.severities ?? {},
    suggestions: false,
    ...accepting.lint,
    ...(options.stats ? { timed: true } : {}),
  };
  const stats = options.stats ? openRunStats() : undefined;
  const fixing = options.fix ? openFixing(context, options, { selection, lint }) : undefined;
  const outputs = await openOutputs(options, context, selection.files.length);
  const outcome = { ...noFindings, maxWarnings: options.maxWarnings };
  try {
    const fold = countsOnly(options, selection.files.length);
    for await (const found of checkAll(selection, { lint, fold }, context, options)) {
      if (signal.aborted) break;
      const report = fixing ? await fixing.file(found) : found;
      if (report === undefined) break;
      count(report, outcome);
      accepting.file(report);
      stats?.file(found);
      const show = () => outputs.file(showFirst(without(options.hidden, report)));
      await (stats ? stats.reporting(show) : show());
    }
    if (signal.aborted) return exitCodes.interrupted;
    await outputs.end({
      ...outcome,
      ...(options.hidden.includes('info') ? { infos: 0 } : {}),
      ...(stats ? { stats: stats.sum() } : {}),
    });
  } finally {
    await outputs.discard();
  }
  fixing?.end();
  await accepting.end();
  if (stats && !isJson(options)) showStats(stats.sum(), context.output);
  if (options.baseline === 'write') return outcome.errors > 0 ? exitCodes.failure : exitCodes.done;
  return fixing && fixing.failed > 0 ? exitCodes.usage : exitCodeOf(outcome);
}

const noFindings = { files: 0, errors: 0, warnings: 0, infos: 0, unreadable: 0 };

/** Returns whether stdout receives JSON, which includes the timings. */
function isJson({ targets }: ValidateOptions): boolean {
  return targets.some(({ format, file }) => format === 'json' && file === undefined);
}

type Totals = Record<'files' | 'errors' | 'warnings' | 'infos' | 'unreadable', number>;

/** Adds the counts of one file to the totals of the run. */
function count({ counts, readable }: FileReport, totals: Totals): void {
  totals.files += 1;
  totals.errors += counts.errors;
  totals.warnings += counts.warnings;
  totals.infos += counts.infos;
  if (!readable) totals.unreadable += 1;
}

/** Returns a report without the findings of hidden severities, which are also removed from its counts. */
function without(hidden: readonly Severity[], report: FileReport): FileReport {
  if (hidden.length === 0) return report;
  const { findings, folded, counts } = report;
  const isShown = ({ severity }: { readonly severity: Severity }) => !hidden.includes(severity);
  return {
    ...report,
    findings: findings.filter(isShown),
    ...(folded && { folded: folded.filter(isShown) }),
    counts: {
      ...counts,
      warnings: hidden.includes('warning') ? 0 : counts.warnings,
      infos: hidden.includes('info') ? 0 : counts.infos,
    },
  };
}

function exitCodeOf(outcome: Outcome): number {
  if (outcome.unreadable > 0) return exitCodes.usage;
  return outcome.errors > 0 || tooManyWarnings(outcome) ? exitCodes.failure : exitCodes.done;
}

/** Maximum number of rules that `--stats` lists. */
const maxRules = 10;

/** Prints on stderr how long each phase, rule and file took. */
function showStats(stats: RunStats, output: Output): void {
  const { files, bytes, total, phases, rules, slowest } = stats;
  const slow = rules.slice(0, maxRules).map(({ rule, time }) => [rule, time] as const);
  const named = slowest.map(({ file, bytes: size, time }) => {
    const name = `${escapeForeign(file)} (${Math.ceil(size / 1024)} KB)`;
    return [name, time] as const;
  });
  const lines = [
    `${plural(files, 'file')} with ${Math.ceil(bytes / 1024)} KB in ${total.toFixed(0)} ms. Times are totals over all threads:`,
    ...columns(Object.entries(phases)),
    'Slowest rules:',
    ...columns(slow),
    'Slowest files:',
    ...columns(named),
  ];
  output.note(lines.join('\n'));
}

function columns(rows: readonly (readonly [string, number])[]): readonly string[] {
  const lines = rows.map(([name, time]) => [`  ${name}`, `${time.toFixed(2)} ms`]);
  return alignColumns(lines, 1);
}

/** Returns the files to check, or undefined if interrupted. */
function select(context: CommandContext, options: ValidateOptions): Promise<Selection | undefined> {
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
  if (files.length === 0) output.note(`The ignore file excludes all ${ignored} files.`);
  if (links > 0) {
    output.note(
      `${plural(links, 'symbolic link')} to definitions ${links === 1 ? 'was' : 'were'} skipped. Specify a link to check its target.`,
    );
  }
  return { files, areRegular };
}

async function readStandardInput(
  { stdin }: CommandContext,
  { stdinFilename, maxBytes }: ValidateOptions,
): Promise<Selection> {
  const bytes = await readInputStream(stdin, maxBytes).catch((error: unknown) => {
    throw error instanceof UnreadableInput ? unreadable('Standard input', error) : error;
  });
  return { files: [stdinFilename], bytes };
}

/** Checks the selected files and yields their reports one by one. */
function checkAll(
  { files, areRegular = false, bytes }: Selection,
  { lint, fold }: Required<Pick<CheckOptions, 'lint' | 'fold'>>,
  { cwd, signal }: CommandContext,
  { watch, maxBytes }: ValidateOptions,
): AsyncIterable<FileReport> {
  if (bytes) return checkInput(files[0] ?? '', bytes, lint, signal);
  // A watch run checks few files, so starting threads for each run would take longer.
  const cores = () => (watch ? 1 : availableParallelism());
  return checkFiles(files, { cwd, lint, fold, cores, maxBytes, areRegular, signal });
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
