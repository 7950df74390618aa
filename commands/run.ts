import type { Readable, Writable } from 'node:stream';
import { type Clock, systemClock } from '../src/clock.js';
import { readEnvironment } from '../src/environment.js';
import { exitCodes } from '../src/errors.js';
import { createOutput } from '../src/terminal/output.js';
import type { CommandContext } from './command.js';
import { describeFailure } from './failure.js';
import { harmlessFailure } from './harmless-output.js';
import { parse } from './parse.js';

/** The world a run happens in; the real process hands in itself, a test its own. */
export interface RunOptions {
  /** Words after the program's name. */
  readonly argv: readonly string[];
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & {
    readonly isTTY?: boolean;
    readonly columns?: number;
    readonly rows?: number;
  };
  readonly stderr: Writable & {
    readonly isTTY?: boolean;
    readonly columns?: number;
    readonly rows?: number;
  };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Aborts when the user interrupts. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

/** argv -> command -> exit code. Never throws: every error becomes one clear message on stderr. */
export async function run(options: RunOptions): Promise<number> {
  const { stdout, stderr, signal, cwd, clock = systemClock } = options;
  const verbose = options.argv.includes('--verbose');
  let json = options.argv.includes('--json');
  try {
    const env = await readEnvironment(cwd, options.env);
    const call = await parse(options.argv, { stdout, stderr });
    if (call.kind === 'answered') return call.exitCode;
    json = call.input.options.json === true;
    const output = createOutput({ stdout, stderr, json, env });
    const context: CommandContext = {
      // Opening standard input takes a while, and few commands read it.
      get stdin() {
        return options.stdin;
      },
      stdout,
      stderr,
      env,
      cwd,
      clock,
      signal,
      output,
      get interactive() {
        return Boolean(options.stdin.isTTY) && Boolean(stderr.isTTY);
      },
    };
    return (await call.command.run(context, call.input)) ?? exitCodes.done;
  } catch (error) {
    const output = createOutput({ stdout, stderr, json, env: options.env });
    return describeFailure(harmlessFailure(options.argv, error), { output, verbose });
  }
}
