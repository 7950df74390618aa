import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Clock, systemClock } from '../src/base/clock.js';
import { readEnvironment } from '../src/base/environment.js';
import { AppError, exitCodes } from '../src/base/errors.js';
import { escapeForeign } from '../src/base/foreign-text.js';
import type { Output } from '../src/terminal/output.js';
import { createOutput } from '../src/terminal/output.js';
import type { CommandContext, CommandInput } from './command.js';
import { createLastWords, interruptible } from './interruptible.js';
import { withFlags } from './next-command.js';
import { parse } from './parse.js';
import type { Registry } from './route.js';

/** The environment of a run, which tests can replace. */
export interface RunOptions
  extends Pick<CommandContext, 'stdin' | 'stdout' | 'stderr' | 'env' | 'cwd'> {
  /** The words after the program name. */
  readonly argv: readonly string[];
  /** Aborts when the program is interrupted. The reason is the name of the signal, or `output`. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

/** Runs the command in `argv` and returns its exit code. Reports every error on stderr and never throws. */
export async function run(options: RunOptions, registry: Registry): Promise<number> {
  const { stdout, stderr, cwd, clock = systemClock } = options;
  const keyboard = new AbortController();
  const signal = AbortSignal.any([options.signal, keyboard.signal]);
  const lastWords = createLastWords(signal);
  const flags = beforeTerminator(options.argv);
  const verbose = flags.includes('--verbose');
  const streams = { stdout, stderr, forCi: options.argv.some(isAboutScreens) };
  const json = flags.includes('--json');
  let output = createOutput({ ...streams, json, env: options.env });
  let input: CommandInput | undefined;
  try {
    const { env, envFile } = readEnvironment(cwd, options.env);
    const call = await parse(options.argv, registry, {
      stdout,
      stderr,
      isFile: (name) => existsSync(resolve(cwd, name)),
    });
    if (typeof call === 'number') return call;
    input = call.input;
    const { json: asJson, plain } = input.options;
    output = createOutput({ ...streams, json: asJson === true, plain: plain === true, env });
    const context: CommandContext = {
      get stdin() {
        return options.stdin;
      },
      stdout,
      stderr,
      env,
      envFile,
      cwd,
      clock,
      signal,
      interrupt: () => keyboard.abort('SIGINT'),
      unfinished: lastWords,
      output,
      get interactive() {
        return Boolean(options.stdin.isTTY) && Boolean(stderr.isTTY);
      },
    };
    const work = call.command.run(context, input);
    const { stopsItself } = call.command;
    const exitCode = await (stopsItself ? work : interruptible(signal, work, lastWords.current));
    return exitCode === exitCodes.interrupted ? codeOf(signal) : (exitCode ?? exitCodes.done);
  } catch (error) {
    const failure = describeFailure(error, { output, verbose, input });
    // Any failure after a signal is treated as an interruption.
    return isInterrupted(signal) ? codeOf(signal) : failure;
  } finally {
    output.close();
  }
}

/** Returns the words before `--`, which may be flags. */
function beforeTerminator(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end < 0 ? argv : argv.slice(0, end);
}

/** Returns whether a word is a screen command. CI systems read its output, so commands for CI systems are escaped. */
function isAboutScreens(word: string): boolean {
  return word.endsWith('-screen');
}

function isInterrupted({ reason }: AbortSignal): boolean {
  return reason === 'SIGINT' || reason === 'SIGTERM';
}

/** Returns the exit code of a signal, which is 128 plus the signal number. */
function codeOf({ reason }: AbortSignal): number {
  return reason === 'SIGTERM' ? exitCodes.terminated : exitCodes.interrupted;
}

interface FailureOptions {
  readonly output: Output;
  /** True to print the stack and the causes, for bug reports. */
  readonly verbose: boolean;
  /** The command's input; undefined if it could not be parsed. */
  readonly input: CommandInput | undefined;
}

/**
 * Reports a failure on stderr and returns the exit code. With `--json`, it also prints `{error, code, details}` and the
 * failure's other fields on stdout, unless a result has been printed, so that a script always reads one document.
 */
function describeFailure(error: unknown, { output, verbose, input }: FailureOptions): number {
  const known = error instanceof AppError ? error : undefined;
  const message = known?.message ?? `Unexpected error: ${oneLine(error)}`;
  const { red, dim } = output.messageColors;
  output.note(`${red('Error:')} ${readable(message)}`);
  for (const line of detailLines(known)) output.note(`  ${readable(line)}`);
  const hint = known?.hint ?? (known?.code === 'session_ended' ? signInHint : undefined);
  if (hint) output.note(dim(input ? withFlags(hint, input) : hint));
  if (verbose) output.note(dim(stackOf(error)));
  else if (!known) output.note(dim('Run the command again with --verbose to see the stack.'));
  if (output.json && !output.hasResult) {
    const { code = 'internal_error', fields, details } = known ?? {};
    output.result({ error: message, code, ...fields, ...(details ? { details } : {}) }, () => '');
  }
  return known?.exitCode ?? exitCodes.failure;
}

/** The hint after the provider has ended a session. The provider's message does not contain it. */
const signInHint = 'Sign in again with msgsite pay login.';

/** Maximum length of an error message, in characters. A message may repeat long input. */
const maxMessageLength = 2_000;

/** Maximum number of listed details of an error. A file may have one on every line. */
const maxDetails = 100;

/** Returns a message on one line, truncated if it is very long. With `--json`, the message is complete. */
function readable(message: string): string {
  const line = escapeForeign(message);
  return line.length > maxMessageLength ? `${line.slice(0, maxMessageLength)}…` : line;
}

function detailLines(error: AppError | undefined): string[] {
  if (!Array.isArray(error?.details)) return [];
  const lines = error.details
    .slice(0, maxDetails)
    .map(({ path, message }) => (path ? `${path}: ${message}` : message));
  const more = error.details.length - lines.length;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n', 1)[0] ?? '';
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\nCaused by: ${stackOf(error.cause)}`;
  // The line breaks in the stack are preserved, but those in the message are escaped.
  const stack = error.stack ?? error.message;
  return `${stack.replace(error.message, () => escapeForeign(error.message))}${cause}`;
}
