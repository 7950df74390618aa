import type { Clock } from '../src/base/clock.js';
import type { EnvironmentFile } from '../src/base/environment.js';
import type { Output } from '../src/terminal/output.js';
import type { InputStream, OutputStream } from '../src/terminal/streams.js';
import type { UnderWay } from './interruptible.js';

/**
 * A flag as data. `flags` has commander's notation: `-p, --port <number>`, `--dry-run`, `--no-wait`. Shells complete
 * values named `<file>` or `<folder>` as such.
 */
export interface OptionDefinition {
  readonly flags: string;
  readonly description: string;
  /** Allowed values, listed in the help and checked. */
  readonly choices?: readonly string[];
  /** True if it may be repeated; the value is then an array of strings. */
  readonly repeatable?: boolean;
}

/** Flags of every command. */
export const commonOptions: readonly OptionDefinition[] = [
  { flags: '--json', description: 'print one JSON document on stdout' },
  { flags: '--verbose', description: 'show the stack of an unexpected error' },
];

/** The help flag of every command and group. */
export const helpOption: OptionDefinition = { flags: '-h, --help', description: 'show help' };

/** The version flag of the program. */
export const versionOption: OptionDefinition = {
  flags: '-V, --version',
  description: 'print the version',
};

/** A positional argument as data. `name` has commander's notation: `<file>`, `[files...]`. */
export interface ArgumentDefinition {
  readonly name: string;
  readonly description: string;
  /** Values that completion offers; the command validates them. */
  readonly choices?: readonly string[];
}

/** The user's input, parsed but not yet validated: every value is text. */
export interface CommandInput {
  /** Positional arguments in the order of the definition (a variadic one is an array). */
  readonly arguments: readonly (string | readonly string[] | undefined)[];
  /** By camel-cased flag name (`--dry-run` -> `dryRun`); without flags that were not given. */
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
}

/** Everything outside itself that a command may use. Tests pass their own. */
export interface CommandContext {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Environment variables, including those of a `.env` file (the real environment wins). */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The `.env` file, for settings that it must not contain. */
  readonly envFile: EnvironmentFile | undefined;
  /** The working directory, in which the user's relative paths start. */
  readonly cwd: string;
  readonly clock: Clock;
  /** Aborts on the first SIGINT or SIGTERM, and on `interrupt`. */
  readonly signal: AbortSignal;
  /** Interrupts like a signal: while keys are read one by one, Ctrl+C is a key and not a signal. */
  interrupt(): void;
  /** Reports what an interruption leaves unfinished. */
  readonly underWay: UnderWay;
  /** The only way to print: data to stdout, messages to stderr, human or `--json`. */
  readonly output: Output;
  /** True if stdin and stderr are terminals, so that the user can answer a prompt. */
  readonly interactive: boolean;
}

/** A command of the program, in the file with its name. */
export interface Command {
  readonly arguments?: readonly ArgumentDefinition[];
  readonly options?: readonly OptionDefinition[];
  /** Shown below the help. */
  readonly examples: readonly { readonly command: string; readonly description: string }[];
  /** A paragraph shown in the help above the options. */
  readonly description?: string;
  /**
   * Set if it needs time after a signal to finish requests. Every other command is abandoned half a second after a
   * signal. Such a command bounds its own start.
   */
  readonly stopsItself?: true;
  /** Does the work and resolves to the exit code (undefined means 0). Throws failures as AppError. */
  run(context: CommandContext, input: CommandInput): Promise<number | undefined>;
}

/** A command before it is loaded, as needed for help and suggestions. */
export interface RegisteredCommand {
  /** The words that call it: `pay qr`. */
  readonly path: string;
  readonly summary: string;
  /** True if the help does not list it, because only scripts call it. */
  readonly hidden: boolean;
  /** Loads the command's file and everything that it needs. */
  readonly load: () => Promise<Command>;
}
