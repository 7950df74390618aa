import { AppError } from '../src/base/errors.js';
import { defaultInputBytes } from '../src/base/files/input-file.js';
import { isCi } from '../src/terminal/capabilities.js';
import type { Terminal } from '../src/terminal/question.js';
import type { CommandContext, CommandInput, OptionDefinition } from './command.js';

/** Returns the value of a flag, or undefined if it was not given. */
export function readText({ options }: CommandInput, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** Returns the choice selected by a flag, or undefined if it was not given. */
export function readChoice<Choice extends string>(
  { options }: Pick<CommandInput, 'options'>,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  return choices.find((choice) => choice === options[name]);
}

/** The range of a flag whose value is a whole number, including both limits. */
export interface NumberFlag {
  /** The default value. */
  readonly initial: number;
  readonly from: number;
  readonly to: number;
  /** Description of the valid values for the usage error. By default, it states the range. */
  readonly allowed?: string;
}

/** Returns the value of a flag as a whole number. Throws `usage` for any other value. */
export function readNumber({ options }: CommandInput, name: string, flag: NumberFlag): number {
  const { initial, from, to, allowed = `a whole number from ${from} to ${to}` } = flag;
  const text = options[name];
  if (text === undefined) return initial;
  const value = typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= from && value <= to) return value;
  throw new AppError('usage', `--${name} must be ${allowed}.`);
}

/** Returns the name of a flag: `port` of `-p, --port <number>`, `no-wait` of `--no-wait`. */
export function nameOf({ flags }: OptionDefinition): string {
  return /--([\w-]+)/.exec(flags)?.[1] ?? flags;
}

export function takesValue({ flags }: OptionDefinition): boolean {
  return flags.endsWith('>');
}

/** The flag for the maximum size of files that the user specifies. */
export const maxSizeOption: OptionDefinition = {
  flags: '--max-size <size>',
  description: 'maximum size of a file to read, such as 50MB (default 20MB)',
};

const units: Readonly<Record<string, number>> = { '': 1, K: 1024, M: 1024 ** 2 };

/** Maximum value of `--max-size`, in bytes. Longer text may not fit into a JavaScript string. */
const largest = 500 * 1024 ** 2;

/** Returns `--max-size` in bytes, by default 20 MB. Throws `usage` for an invalid size. */
export function readMaxSize(value: unknown): number {
  if (value === undefined) return defaultInputBytes;
  const [, digits, unit = ''] = /^(\d{1,9}) ?([KM]?)B?$/i.exec(String(value)) ?? [];
  const bytes = Number(digits) * (units[unit.toUpperCase()] ?? Number.NaN);
  if (bytes >= 1 && bytes <= largest) return bytes;
  throw new AppError('usage', `Invalid size for --max-size: ${String(value)}.`, {
    hint: 'Use a size in KB or MB, such as 50MB. The maximum is 500MB.',
  });
}

/** Returns the terminal for prompts, or undefined if nobody can answer them. */
export function questioner(context: CommandContext): Terminal | undefined {
  const { interactive, stdin, stderr, signal, output, env } = context;
  if (!interactive || output.json || isCi(env)) return undefined;
  const { plain, screenColors } = output;
  return { stdin, stderr, signal, colors: screenColors.stderr, plain };
}
