import type { Clock } from '../src/base/clock.js';
import type { EnvironmentFile } from '../src/base/environment.js';
import type { Output } from '../src/terminal/output.js';
import type { InputStream, OutputStream } from '../src/terminal/streams.js';
import type { UnfinishedWork } from './interruptible.js';

/**
 * Definition of a flag. `flags` uses commander's notation: `-p, --port <number>`, `--dry-run`, `--no-wait`. Shells
 * complete values named `<file>` or `<folder>` as paths.
 */
export interface OptionDefinition {
  readonly flags: string;
  readonly description: string;
  /** Allowed values, which the help lists and the parser checks. */
  readonly choices?: readonly string[];
  /** True if the flag may be repeated. Its value is then an array of strings. */
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

/** Definition of a positional argument. `name` uses commander's notation: `<file>`, `[files...]`. */
export interface ArgumentDefinition {
  readonly name: string;
  readonly description: string;
  /** Values that completion offers; the command validates them. */
  readonly choices?: readonly string[];
}

/** The user's input, parsed but not yet validated. */
export interface CommandInput {
  /** Positional arguments in the order of their definitions. A variadic argument is an array. */
  readonly arguments: readonly (string | readonly string[] | undefined)[];
  /** Values by flag name in camel case (`dryRun` for `--dry-run`). Flags that were not given are absent. */
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
}

/** The environment in which a command runs. Tests pass a substitute. */
export interface CommandContext {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Environment variables, including those of the `.env` file. The process environment takes precedence. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The `.env` file, which is checked for settings that it must not contain. */
  readonly envFile: EnvironmentFile | undefined;
  /** The working directory, against which the user's relative paths are resolved. */
  readonly cwd: string;
  readonly clock: Clock;
  /** Aborts on the first SIGINT or SIGTERM, and on `interrupt`. */
  readonly signal: AbortSignal;
  /** Interrupts the command as SIGINT would. In raw mode, Ctrl+C is a key press and does not send a signal. */
  interrupt(): void;
  /** Tracks work that an interruption would leave unfinished. */
  readonly unfinished: UnfinishedWork;
  /** Prints data to stdout and messages to stderr, as text or JSON. Commands print only with it. */
  readonly output: Output;
  /** True if stdin and stderr are terminals, so that the user can answer a prompt. */
  readonly interactive: boolean;
}

/** A command of the program. */
export interface Command {
  readonly arguments?: readonly ArgumentDefinition[];
  readonly options?: readonly OptionDefinition[];
  /** Examples shown below the help. */
  readonly examples: readonly { readonly command: string; readonly description: string }[];
  /** A paragraph that the help shows above the options. */
  readonly description?: string;
  /**
   * Set if the command needs time after a signal to finish requests. Such a command must limit the duration of its
   * startup. Every other command is abandoned half a second after a signal.
   */
  readonly stopsItself?: true;
  /** Runs the command and returns its exit code; undefined means 0. Throws an AppError on failure. */
  run(context: CommandContext, input: CommandInput): Promise<number | undefined>;
}

/** A command that is not loaded yet, with the data for help and suggestions. */
export interface RegisteredCommand {
  /** The words that call the command, such as `pay qr`. */
  readonly path: string;
  readonly summary: string;
  /** True if the help does not list the command, because only scripts call it. */
  readonly hidden: boolean;
  /** Loads the command's file and everything that it needs. */
  readonly load: () => Promise<Command>;
}
