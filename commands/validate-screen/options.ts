import { AppError } from '../../src/base/errors.js';
import { nearest } from '../../src/base/nearest.js';
import type { Severity } from '../../src/screens/findings/finding.js';
import type { CommandInput } from '../command.js';
import { readMaxSize } from '../flags.js';

export const formats = ['pretty', 'json', 'sarif', 'junit', 'github', 'markdown'] as const;
export type Format = (typeof formats)[number];

/** A report format and its output file; undefined for stdout. */
export interface Target {
  readonly format: Format;
  readonly file: string | undefined;
}

/** The validated flags of the command. */
export type ValidateOptions = Readonly<ReturnType<typeof readOptions>>;

/** The requested files, or standard input. */
export interface Selection {
  /** File names as shown in reports. */
  readonly files: readonly string[];
  /** True if all files are known to be regular files. */
  readonly areRegular?: boolean;
  /** The content of standard input if it is checked instead of files. */
  readonly bytes?: Buffer;
}

/** Parses the flags. Throws `usage` for an invalid flag. */
export function readOptions({ arguments: [words], options }: CommandInput) {
  const files = Array.isArray(words) ? words.map(String) : [];
  const lsp = readLsp(files, options);
  if (files.includes(''))
    throw usage('An argument is empty. Specify a file, or omit the argument.');
  const stdin = files.includes('-');
  const watch = options.watch === true;
  if (stdin && watch)
    throw usage('--watch cannot watch standard input (-). Specify files instead.');
  if (stdin && files.length > 1) throw usage('Use either - or files, not both.');
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
    throw usage('With -, the fixed text is written to stdout. Write the report to a file.', {
      hint: 'For example, --format json=FILE.',
    });
  }
  return {
    files: files.length === 0 ? ['.'] : files,
    targets,
    maxWarnings: readMaximum(options.maxWarnings),
    /** Severities whose findings are hidden. They still affect the exit code. */
    hidden: readHidden(options),
    /** True to show every finding. */
    all: options.all === true,
    /** Set for --fix and --fix-dry-run. */
    fix: fix ? { dryRun, onStdout: (stdin || dryRun) && isPretty } : undefined,
    stats: options.stats === true,
    stdinFilename: readText(options.stdinFilename) ?? '<stdin>',
    explain: readText(options.explain),
    config: readText(options.config),
    baseline: baselineUse(writeBaseline, pruneBaseline),
    watch,
    lsp,
    /** Maximum size of a file, in bytes. */
    maxBytes: readMaxSize(options.maxSize),
  };
}

/** Throws if more than one of these mutually exclusive flags is set. */
function assertOneOf(...flags: readonly (readonly [string, boolean])[]): void {
  const used = flags.filter(([, isSet]) => isSet).map(([name]) => name);
  if (used.length > 1) throw usage(`Use either ${used[0]} or ${used[1]}, not both.`);
}

function baselineUse(write: boolean, prune: boolean): 'write' | 'prune' | 'keep' {
  if (write) return 'write';
  return prune ? 'prune' : 'keep';
}

function readHidden({ quiet, warnings }: CommandInput['options']): readonly Severity[] {
  if (warnings === false) return ['warning', 'info'];
  return quiet === true ? ['info'] : [];
}

/** Flags that can be combined with --lsp. */
const lspFlags = ['lsp', 'stdio', 'maxSize', 'verbose'];

/** Returns whether --lsp is set. Throws if it is combined with files or other flags. */
function readLsp(files: readonly string[], options: CommandInput['options']): boolean {
  if (options.lsp !== true) {
    if (options.stdio === true) throw usage('--stdio works only with --lsp.');
    return false;
  }
  const [other] = Object.entries(options).flatMap(([name, value]) => {
    // A flag that begins with --no- is true by default.
    if (name === 'warnings') return value === false ? '--no-warnings' : [];
    return lspFlags.includes(name) ? [] : flagOf(name);
  });
  if (files.length === 0 && other === undefined) return true;
  throw usage(`With --lsp, the editor decides what to check. Remove ${other ?? 'files'}.`);
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
  throw usage(
    `Invalid number for --max-warnings: ${String(value)}. Use a whole number, 0 or more.`,
  );
}

/** Parses --format. Stdout receives the format `pretty` unless a different format is requested for it. */
function readTargets(value: Value, json: boolean): readonly Target[] {
  const requested = (Array.isArray(value) ? value : []).map((word) => readTarget(String(word)));
  const targets: readonly Target[] = json
    ? [...requested, { format: 'json', file: undefined }]
    : requested;
  const files = targets.filter(({ file }) => file !== undefined);
  const onStdout = new Set(targets.filter(({ file }) => file === undefined).map((t) => t.format));
  if (onStdout.size > 1) {
    const [first = '', second = ''] = onStdout;
    throw usage(
      `Only one format can be written to stdout, but ${first} and ${second} were requested.`,
      {
        hint: `Write the other format to a file: --format ${second}=FILE.`,
      },
    );
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
    throw usage(`Unknown format ${name}. Use ${formats.join(', ')}.${hint}`);
  }
  if (rest.length > 0 && file === '')
    throw usage(`--format ${word} has no file after the equals sign.`);
  return { format, file: rest.length > 0 ? file : undefined };
}

function usage(message: string, { hint = 'See msgsite validate-screen --help.' } = {}): AppError {
  return new AppError('usage', message, { hint });
}
