import { AppError } from '../src/base/errors.js';
import { defaultInputBytes } from '../src/base/files/input-file.js';
import { isCi } from '../src/terminal/capabilities.js';
import type { Terminal } from '../src/terminal/question.js';
import type { CommandContext, CommandInput, OptionDefinition } from './command.js';

/** Returns the text of a flag, or undefined if it was not given. */
export function readText({ options }: CommandInput, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** Returns the choice that a flag names, or undefined if it was not given. */
export function readChoice<Choice extends string>(
  { options }: Pick<CommandInput, 'options'>,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  return choices.find((choice) => choice === options[name]);
}

/** The range of a flag with a whole number, both bounds included. */
export interface NumberFlag {
  /** The value if the flag was not given. */
  readonly initial: number;
  readonly from: number;
  readonly to: number;
  /** Valid values, for the usage error; by default the range. */
  readonly takes?: string;
}

/** Returns the whole number of a flag; throws `usage` for anything else. */
export function readNumber({ options }: CommandInput, name: string, flag: NumberFlag): number {
  const { initial, from, to, takes = `a whole number from ${from} to ${to}` } = flag;
  const text = options[name];
  if (text === undefined) return initial;
  const value = typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= from && value <= to) return value;
  throw new AppError('usage', `--${name} takes ${takes}.`);
}

/** Returns the name of a flag: `port` of `-p, --port <number>`, `no-wait` of `--no-wait`. */
export function nameOf({ flags }: OptionDefinition): string {
  return /--([\w-]+)/.exec(flags)?.[1] ?? flags;
}

export function takesValue({ flags }: OptionDefinition): boolean {
  return flags.endsWith('>');
}

/** The flag of commands that read files named by the user. */
export const maxSizeOption: OptionDefinition = {
  flags: '--max-size <size>',
  description: 'largest file to read, such as 50MB (default 20MB)',
};

const units: Readonly<Record<string, number>> = { '': 1, K: 1024, M: 1024 ** 2 };

/** Bytes of the largest `--max-size`; longer text may not fit into a JavaScript string. */
const largest = 500 * 1024 ** 2;

/** Returns the bytes that `--max-size` allows, by default 20 MB. Throws `usage` for an invalid size. */
export function readMaxSize(value: unknown): number {
  if (value === undefined) return defaultInputBytes;
  const [, digits, unit = ''] = /^(\d{1,9}) ?([KM]?)B?$/i.exec(String(value)) ?? [];
  const bytes = Number(digits) * (units[unit.toUpperCase()] ?? Number.NaN);
  if (bytes >= 1 && bytes <= largest) return bytes;
  throw new AppError('usage', `Invalid size for --max-size: ${String(value)}.`, {
    hint: 'Use a size such as 50MB, in KB or MB, at most 500MB.',
  });
}

/** Returns the terminal for questions, or undefined if nobody could answer them. */
export function questioner(context: CommandContext): Terminal | undefined {
  const { interactive, stdin, stderr, signal, output, env } = context;
  if (!interactive || output.json || isCi(env)) return undefined;
  const { plain, screenColors } = output;
  return { stdin, stderr, signal, colors: screenColors.stderr, plain };
}
