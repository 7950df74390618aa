import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Clock, systemClock } from '../src/base/clock.js';
import { readEnvironment } from '../src/base/environment.js';
import { exitCodes } from '../src/base/errors.js';
import { createOutput } from '../src/terminal/output.js';
import type { CommandContext, CommandInput } from './command.js';
import { describeFailure } from './failure.js';
import { createLastWords, interruptible } from './interruptible.js';
import { parse } from './parse.js';
import type { Registry } from './route.js';

/** The world a run happens in; the real process hands in itself, a test its own. */
export interface RunOptions
  extends Pick<CommandContext, 'stdin' | 'stdout' | 'stderr' | 'env' | 'cwd'> {
  /** Words after the program's name. */
  readonly argv: readonly string[];
  /** Aborts when the user interrupts; its reason is then the signal's name, or `output`. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

/** argv -> command -> exit code. Never throws: every error becomes one clear message on stderr. */
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
      underWay: lastWords,
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
    // What fails after a signal was interrupted, whatever it fails of.
    return isInterrupted(signal) ? codeOf(signal) : failure;
  } finally {
    output.close();
  }
}

/** The words that may be flags. */
function beforeTerminator(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end < 0 ? argv : argv.slice(0, end);
}

/** The commands whose words CI systems read: whatever a definition or its name says commands none. */
function isAboutScreens(word: string): boolean {
  return word.endsWith('-screen');
}

function isInterrupted({ reason }: AbortSignal): boolean {
  return reason === 'SIGINT' || reason === 'SIGTERM';
}

/** Shells tell by the code which signal interrupted a command: 128 and its number. */
function codeOf({ reason }: AbortSignal): number {
  return reason === 'SIGTERM' ? exitCodes.terminated : exitCodes.interrupted;
}
