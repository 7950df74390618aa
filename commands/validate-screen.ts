import { availableParallelism } from 'node:os';
import { exitCodes } from '../src/base/errors.js';
import { readInputStream, UnreadableInput, unreadable } from '../src/base/files/input-file.js';
import { escapeForeign } from '../src/base/foreign-text.js';
import { untilInterrupted } from '../src/base/interruption.js';
import { acceptFindings } from '../src/screens/check/accepted.js';
import { checkInterruptibly } from '../src/screens/check/check-file.js';
import { checkFiles } from '../src/screens/check/check-files.js';
import { type LoadedConfig, loadConfig, writeBaseline } from '../src/screens/check/config-file.js';
import { type FileReport, omittedOf, plural } from '../src/screens/check/findings.js';
import { showFirst } from '../src/screens/check/gather.js';
import { selectFiles } from '../src/screens/check/select-files.js';
import { type Outcome, tooManyWarnings } from '../src/screens/reporters/reporter.js';
import type { LintOptions } from '../src/screens/rules/lint.js';
import type { Command, CommandContext } from './command.js';
import { maxSizeOption } from './max-size.js';
import { readOptions, type ValidateOptions } from './validate-screen/options.js';
import { openOutputs } from './validate-screen/outputs.js';

export const command: Command = {
  description:
    'Checks screen definitions against the screen contract and reports what will not work as written. Exit codes: 0 valid, 1 errors (or more warnings than allowed), 2 wrong usage or a file that cannot be read.',
  arguments: [
    {
      name: '[files...]',
      description:
        'files, globs, folders (their *.screen.json files) or - for standard input; default: the working directory',
    },
  ],
  options: [
    {
      flags: '--format <format>',
      description:
        'pretty, json, sarif, junit, github or markdown; FORMAT=FILE writes to a file; may be given several times',
      repeatable: true,
    },
    { flags: '--max-warnings <number>', description: 'fail where there are more warnings' },
    { flags: '--quiet', description: 'show errors only' },
    { flags: '--stdin-filename <name>', description: 'name to report for standard input' },
    { flags: '--explain <rule>', description: 'say what a rule is about, with examples' },
    { flags: '--config <file>', description: 'configuration (default: .msgsite-screens.json)' },
    { flags: '--fix', description: 'mend in the files what has one right answer' },
    { flags: '--write-baseline', description: 'accept all warnings of today in the configuration' },
    maxSizeOption,
    { flags: '--watch', description: 'check again whenever a file changes' },
  ],
  examples: [
    {
      command: 'msgsite validate-screen screens/',
      description: 'Check every *.screen.json below a folder',
    },
    {
      command: "msgsite validate-screen 'screens/**/*.json' --max-warnings 0",
      description: 'Check by glob, and let warnings fail too',
    },
    {
      command: 'msgsite validate-screen screens/ --format github --format sarif=screens.sarif',
      description: 'Annotate a pull request and write a report for code scanning',
    },
    {
      command: 'msgsite validate-screen - --stdin-filename new.screen.json < new.screen.json',
      description: 'Check what an editor hands over',
    },
    {
      command: 'msgsite validate-screen --explain management-metric',
      description: 'Read about a rule',
    },
  ],
  async run(context, input) {
    const options = readOptions(input);
    if (options.explain !== undefined) {
      const { explain } = await import('./validate-screen/explain.js');
      explain(options.explain, context.output);
      return exitCodes.done;
    }
    if (!options.watch) return validateOnce(context, options);
    const { watch } = await import('./validate-screen/watch.js');
    return watch(context, options, () => validateOnce(context, options));
  },
};

async function validateOnce(context: CommandContext, options: ValidateOptions): Promise<number> {
  const { cwd, signal } = context;
  const { maxWarnings } = options;
  const loaded = await loadConfig(cwd, options.config);
  const lint = lintOptions(options, loaded);
  const reports = await untilInterrupted(signal, selectReports(context, options, lint));
  if (reports === undefined) return exitCodes.interrupted;
  const outputs = await openOutputs(options.targets, context);
  const kept: FileReport[] = [];
  const fixed = { files: 0, fixes: 0 };
  const outcome = { files: 0, errors: 0, warnings: 0, infos: 0, unreadable: 0, maxWarnings };
  try {
    for await (const found of reports) {
      if (signal.aborted) break;
      const report = options.fix ? await fix(context, found, options, lint, fixed) : found;
      count(report, outcome);
      if (options.writeBaseline) kept.push(report);
      await outputs.file(showFirst(options.quiet ? onlyErrors(report) : report));
    }
    if (signal.aborted) return exitCodes.interrupted;
    await outputs.end(options.quiet ? { ...outcome, infos: 0 } : outcome);
  } finally {
    await outputs.discard();
  }
  if (options.fix) {
    context.output.note(
      `Mended ${plural(fixed.fixes, 'finding')} in ${plural(fixed.files, 'file')}.`,
    );
  }
  if (options.writeBaseline) return acceptAll(context, options, loaded, kept);
  return exitCodeOf(outcome);
}

/** Findings of one file that a baseline takes at most: it has to be read again in every run. */
const mostAccepted = 20_000;

/** How the configuration has files checked. */
function lintOptions(
  { writeBaseline }: ValidateOptions,
  loaded: LoadedConfig | undefined,
): LintOptions {
  const { severities = {}, ignore = [], baseline = [] } = loaded?.config ?? {};
  const accepted = acceptFindings(writeBaseline ? ignore : [...ignore, ...baseline]);
  return { severities, accepted, ...(writeBaseline ? { most: mostAccepted } : {}) };
}

/** Mends a file as far as that has one right answer, adds that to what was mended, and gives what is left. */
async function fix(
  context: CommandContext,
  found: FileReport,
  { mostBytes }: ValidateOptions,
  lint: LintOptions,
  fixed: { files: number; fixes: number },
): Promise<FileReport> {
  const { fixFile } = await import('./validate-screen/fix-file.js');
  const { report, fixes } = await fixFile(context, found, { lint, mostBytes });
  fixed.fixes += fixes;
  if (fixes > 0) fixed.files += 1;
  return report;
}

/** Reports one by one; files that were asked for are found before the first is read. */
async function selectReports(
  context: CommandContext,
  options: ValidateOptions,
  lint: LintOptions,
): Promise<AsyncIterable<FileReport>> {
  const { cwd, output, signal } = context;
  if (options.files.includes('-')) return once(context, options, lint);
  const { files, ignored, links } = await selectFiles(options.files, cwd);
  if (files.length === 0) output.note(`All ${ignored} files are left out by the ignore file.`);
  if (links > 0) {
    output.note(
      `${plural(links, 'link')} to definitions ${links === 1 ? 'was' : 'were'} not followed; name one to check what it leads to.`,
    );
  }
  // Between two changes of a file there is little to do, and threads would start for each.
  const cores = options.watch ? 1 : availableParallelism();
  return checkFiles(files, { cwd, lint, cores, mostBytes: options.mostBytes, signal });
}

async function* once(
  { stdin, signal }: CommandContext,
  { stdinFilename, mostBytes }: ValidateOptions,
  lint: LintOptions,
): AsyncGenerator<FileReport> {
  const bytes = await untilInterrupted(signal, readInputStream(stdin, mostBytes)).catch(
    (error: unknown) => {
      throw error instanceof UnreadableInput ? unreadable('Standard input', error) : error;
    },
  );
  if (bytes === undefined) return;
  const report = await checkInterruptibly({ file: stdinFilename, bytes, lint }, signal);
  if (report) yield report;
}

async function acceptAll(
  { cwd, output }: CommandContext,
  options: ValidateOptions,
  loaded: LoadedConfig | undefined,
  reports: readonly FileReport[],
): Promise<number> {
  const { nextBaseline } = await import('../src/screens/check/config.js');
  const baseline = nextBaseline(loaded?.config.baseline ?? [], reports);
  const file = await writeBaseline(cwd, loaded, baseline, options.config);
  output.note(
    `Accepted ${baseline.length} findings in ${escapeForeign(file)}. Errors of the contract are never accepted.`,
  );
  if (reports.some((report) => omittedOf(report) > 0)) {
    output.note(`Of a file at most ${mostAccepted} findings are accepted; some have more.`);
  }
  return reports.some(({ counts }) => counts.errors > 0) ? exitCodes.failure : exitCodes.done;
}

type Totals = Record<'files' | 'errors' | 'warnings' | 'infos' | 'unreadable', number>;

/** Adds one file to the totals of the run. */
function count({ counts, readable }: FileReport, totals: Totals): void {
  totals.files += 1;
  totals.errors += counts.errors;
  totals.warnings += counts.warnings;
  totals.infos += counts.infos;
  if (!readable) totals.unreadable += 1;
}

function onlyErrors(report: FileReport): FileReport {
  const findings = report.findings.filter(({ severity }) => severity === 'error');
  return { ...report, findings, counts: { ...report.counts, warnings: 0, infos: 0 } };
}

function exitCodeOf(outcome: Outcome): number {
  if (outcome.unreadable > 0) return exitCodes.usage;
  return outcome.errors > 0 || tooManyWarnings(outcome) ? exitCodes.failure : exitCodes.done;
}
