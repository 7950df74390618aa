import type { Clock } from '../src/base/clock.js';
import type { EnvironmentFile } from '../src/base/environment.js';
import type { Output } from '../src/terminal/output.js';
import type { InputStream, OutputStream } from '../src/terminal/streams.js';
import type { UnderWay } from './interruptible.js';

/**
 * A flag as data. `flags` is commander's notation: `-p, --port <number>`, `--dry-run`, `--no-wait`. A value that is
 * called `<file>` or `<folder>` is completed as one.
 */
export interface OptionDefinition {
  readonly flags: string;
  readonly description: string;
  /** Allowed values, listed in the help and checked. */
  readonly choices?: readonly string[];
  /** May be given several times; the value is then an array of strings. */
  readonly repeatable?: boolean;
}

/** Flags that every command takes. */
export const commonOptions: readonly OptionDefinition[] = [
  { flags: '--json', description: 'print one JSON document on stdout' },
  { flags: '--verbose', description: 'show the stack of an unexpected error' },
];

/** Help, which commander shows for every command and group. */
export const helpOption: OptionDefinition = { flags: '-h, --help', description: 'show help' };

/** The version, before any command. */
export const versionOption: OptionDefinition = {
  flags: '-V, --version',
  description: 'print the version',
};

/** A positional argument as data. `name` is commander's notation: `<file>`, `[files...]`. */
export interface ArgumentDefinition {
  readonly name: string;
  readonly description: string;
  /** What completion offers; the command checks it. */
  readonly choices?: readonly string[];
}

/** What the user typed, parsed but not yet checked: every value is text until the command reads it. */
export interface CommandInput {
  /** Positional arguments in the order of the definition (a variadic one is an array). */
  readonly arguments: readonly (string | readonly string[] | undefined)[];
  /** By camel-cased flag name (`--dry-run` -> `dryRun`). Absent flags are absent. */
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
}

/** Everything a command may touch of the world around it. Tests hand in their own. */
export interface CommandContext {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Environment variables, a `.env` file already merged in (the real environment wins). */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The `.env` file, for settings that it must not make. */
  readonly envFile: EnvironmentFile | undefined;
  /** The working directory; relative paths given by the user start here. */
  readonly cwd: string;
  readonly clock: Clock;
  /** Aborts on the first SIGINT or SIGTERM, and on `interrupt`. */
  readonly signal: AbortSignal;
  /** What a signal also does: Ctrl+C is no signal but a key while the keyboard is read key by key. */
  interrupt(): void;
  /** Says what is left behind where the command is interrupted meanwhile. */
  readonly underWay: UnderWay;
  /** The only way to print: data to stdout, messages to stderr, human or `--json`. */
  readonly output: Output;
  /** True where stdin and stderr are terminals, so that a prompt can be answered. */
  readonly interactive: boolean;
}

/** One command of the program: what it takes and what it does. Lives in the file named after it. */
export interface Command {
  readonly arguments?: readonly ArgumentDefinition[];
  readonly options?: readonly OptionDefinition[];
  /** Shown under the help; each one has been run as written. */
  readonly examples: readonly { readonly command: string; readonly description: string }[];
  /** A paragraph shown in the help above the options. */
  readonly description?: string;
  /**
   * Set where it needs time after a signal, to finish what it serves; every other command is left alone
   * half a second after one. Its start is its own to bound.
   */
  readonly stopsItself?: true;
  /** Does the work; resolves to the exit code (nothing = 0). Failures are thrown as AppError. */
  run(context: CommandContext, input: CommandInput): Promise<number | undefined>;
}

/** A command known by name before it is loaded: help and suggestions need no more than this. */
export interface RegisteredCommand {
  /** The words that call it: `pay qr`. */
  readonly path: string;
  readonly summary: string;
  /** Loads the command's own file, and with it everything the command needs. */
  readonly load: () => Promise<{ readonly command: Command }>;
}
