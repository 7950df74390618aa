import { AppError } from '../../src/base/errors.js';
import { nearest } from '../../src/base/nearest.js';
import type { Severity } from '../../src/screens/findings/finding.js';
import type { CommandInput } from '../command.js';
import { readMaxSize } from '../flags.js';

export const formats = ['pretty', 'json', 'sarif', 'junit', 'github', 'markdown'] as const;
export type Format = (typeof formats)[number];

/** One output: a format, and the file it goes to (stdout where there is none). */
export interface Target {
  readonly format: Format;
  readonly file: string | undefined;
}

/** The command's flags, checked. */
export type ValidateOptions = Readonly<ReturnType<typeof readOptions>>;

/** What is checked: the files that were asked for, or standard input. */
export interface Selection {
  /** As they are reported. */
  readonly files: readonly string[];
  /** Whether they are known to be regular files. */
  readonly areRegular?: boolean;
  /** What came in on standard input, instead of files. */
  readonly bytes?: Buffer;
}

/** Reads the flags; a wrong one is a `usage` error. */
export function readOptions({ arguments: [words], options }: CommandInput) {
  const files = Array.isArray(words) ? words.map(String) : [];
  const lsp = readLsp(files, options);
  if (files.includes('')) throw usage('An empty word names no file: leave it out, or name one.');
  const stdin = files.includes('-');
  const watch = options.watch === true;
  if (stdin && watch) throw usage('--watch watches files and cannot watch standard input (-).');
  if (stdin && files.length > 1) throw usage('Give either - or files, not both.');
  const writeBaseline = options.writeBaseline === true;
  const pruneBaseline = options.pruneBaseline === true;
  const dryRun = options.fixDryRun === true;
  const fix = options.fix === true || dryRun;
  assertOneOf(
    ['--watch', watch],
    ['--write-baseline', writeBaseline],
    ['--prune-baseline', pruneBaseline],
    [dryRun ? '--fix-dry-run' : '--fix', fix],
  );
  const targets = readTargets(options.format, options.json === true);
  const isPretty = targets.every(({ format, file }) => format === 'pretty' || file);
  if (stdin && fix && !isPretty) {
    throw usage('The mended text of - goes to stdout: write the report to a file.', {
      hint: 'Such as --format json=FILE.',
    });
  }
  return {
    files: files.length === 0 ? ['.'] : files,
    targets,
    maxWarnings: readMaximum(options.maxWarnings),
    /** Kinds of findings that are not shown; they are counted all the same. */
    hidden: readHidden(options),
    /** Every finding is shown one by one, however many there are. */
    all: options.all === true,
    /** What has one right answer is fixed: in the files, or for show. */
    fix: fix ? { dryRun, onStdout: (stdin || dryRun) && isPretty } : undefined,
    stats: options.stats === true,
    stdinFilename: readText(options.stdinFilename) ?? '<stdin>',
    explain: readText(options.explain),
    config: readText(options.config),
    baseline: baselineUse(writeBaseline, pruneBaseline),
    watch,
    lsp,
    /** Larger files are not read, in bytes. */
    mostBytes: readMaxSize(options.maxSize),
  };
}

/** Flags that do not go together: at most one is given. */
function assertOneOf(...flags: readonly (readonly [string, boolean])[]): void {
  const given = flags.filter(([, isGiven]) => isGiven).map(([name]) => name);
  if (given.length > 1) throw usage(`Give either ${given[0]} or ${given[1]}.`);
}

/** What a run does with the baseline. */
function baselineUse(write: boolean, prune: boolean): 'write' | 'prune' | 'keep' {
  if (write) return 'write';
  return prune ? 'prune' : 'keep';
}

function readHidden({ quiet, warnings }: CommandInput['options']): readonly Severity[] {
  if (warnings === false) return ['warning', 'info'];
  return quiet === true ? ['info'] : [];
}

/** Flags that the language server takes besides. */
const lspFlags = ['lsp', 'stdio', 'maxSize', 'verbose'];

/** Whether an editor is served: it asks for everything else itself. */
function readLsp(files: readonly string[], options: CommandInput['options']): boolean {
  if (options.lsp !== true) {
    if (options.stdio === true) throw usage('--stdio goes with --lsp.');
    return false;
  }
  const [other] = Object.entries(options).flatMap(([name, value]) => {
    // A flag that says no is there as true where it is not given.
    if (name === 'warnings') return value === false ? '--no-warnings' : [];
    return lspFlags.includes(name) ? [] : flagOf(name);
  });
  if (files.length === 0 && other === undefined) return true;
  throw usage(`--lsp serves an editor, which says what to check: leave out ${other ?? 'files'}.`);
}

function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

type Value = CommandInput['options'][string];

function readText(value: Value): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function readMaximum(value: Value): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && /^\d{1,9}$/.test(value)) return Number(value);
  throw usage(`--max-warnings takes a whole number from 0 up, not ${String(value)}.`);
}

/** Stdout shows `pretty` unless another format is asked for there. */
function readTargets(value: Value, json: boolean): readonly Target[] {
  const asked = (Array.isArray(value) ? value : []).map((word) => readTarget(String(word)));
  const targets: readonly Target[] = json ? [...asked, { format: 'json', file: undefined }] : asked;
  const files = targets.filter(({ file }) => file !== undefined);
  const onStdout = new Set(targets.filter(({ file }) => file === undefined).map((t) => t.format));
  if (onStdout.size > 1) {
    const [first = '', second = ''] = onStdout;
    throw usage(`Only one format fits on stdout, not both ${first} and ${second}.`, {
      hint: `Write the others to files: --format ${second}=FILE`,
    });
  }
  const [format = 'pretty'] = onStdout;
  return [...files, { format, file: undefined }];
}

function readTarget(word: string): Target {
  const [name = '', ...rest] = word.split('=');
  const format = formats.find((known) => known === name);
  const file = rest.join('=');
  if (format === undefined) {
    const near = nearest(name, formats);
    const hint = near === undefined ? '' : ` Did you mean ${near}?`;
    throw usage(`There is no format ${name}: use ${formats.join(', ')}.${hint}`);
  }
  if (rest.length > 0 && file === '')
    throw usage(`--format ${word} names no file after the = sign.`);
  return { format, file: rest.length > 0 ? file : undefined };
}

function usage(message: string, { hint = 'See msgsite validate-screen --help.' } = {}): AppError {
  return new AppError('usage', message, { hint });
}
