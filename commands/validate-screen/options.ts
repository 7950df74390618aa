import { AppError } from '../../src/base/errors.js';
import { nearest } from '../../src/base/nearest.js';
import type { CommandInput } from '../command.js';
import { readMaxSize } from '../max-size.js';

export const formats = ['pretty', 'json', 'sarif', 'junit', 'github', 'markdown'] as const;
export type Format = (typeof formats)[number];

/** One output: a format, and the file it goes to (stdout where there is none). */
export interface Target {
  readonly format: Format;
  readonly file: string | undefined;
}

/** The command's flags, checked. */
export type ValidateOptions = Readonly<ReturnType<typeof readOptions>>;

/** Reads the flags; a wrong one is a `usage` error. */
export function readOptions({ arguments: [words], options }: CommandInput) {
  const files = Array.isArray(words) ? words.map(String) : [];
  if (files.includes('')) throw usage('An empty word names no file: leave it out, or name one.');
  const stdin = files.includes('-');
  const watch = options.watch === true;
  if (stdin && watch) throw usage('--watch watches files and cannot watch standard input (-).');
  if (stdin && files.length > 1) throw usage('Give either - or files, not both.');
  const writeBaseline = options.writeBaseline === true;
  if (watch && writeBaseline) throw usage('Give either --watch or --write-baseline.');
  const fix = options.fix === true;
  if (stdin && fix) throw usage('--fix mends files and cannot mend standard input (-).');
  if (watch && fix) throw usage('Give either --watch or --fix.');
  return {
    files: files.length === 0 ? ['.'] : files,
    targets: readTargets(options.format, options.json === true),
    maxWarnings: readMaximum(options.maxWarnings),
    quiet: options.quiet === true,
    stdinFilename: readText(options.stdinFilename) ?? '<stdin>',
    explain: readText(options.explain),
    config: readText(options.config),
    writeBaseline,
    fix,
    watch,
    /** Larger files are not read. */
    mostBytes: readMaxSize(options.maxSize),
  };
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
