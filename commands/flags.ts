import { AppError } from '../src/base/errors.js';
import { defaultInputBytes } from '../src/base/files/input-file.js';
import { isCi } from '../src/terminal/capabilities.js';
import type { Terminal } from '../src/terminal/question.js';
import type { CommandContext, CommandInput, OptionDefinition } from './command.js';

/** The text of a flag; undefined where it is not given. */
export function readText({ options }: CommandInput, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** Which of its choices a flag names: no other is taken. */
export function readChoice<Choice extends string>(
  { options }: Pick<CommandInput, 'options'>,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  return choices.find((choice) => choice === options[name]);
}

/** What a flag that takes a whole number may say, both bounds included. */
export interface NumberFlag {
  /** Where the flag is not given. */
  readonly initial: number;
  readonly from: number;
  readonly to: number;
  /** What it takes, for the usage error; the bounds by default. */
  readonly takes?: string;
}

/** The whole number of a flag; anything else is a `usage` error. */
export function readNumber({ options }: CommandInput, name: string, flag: NumberFlag): number {
  const { initial, from, to, takes = `a whole number from ${from} to ${to}` } = flag;
  const text = options[name];
  if (text === undefined) return initial;
  const value = typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= from && value <= to) return value;
  throw new AppError('usage', `--${name} takes ${takes}.`);
}

/** The name of a flag: `port` of `-p, --port <number>`, `no-wait` of `--no-wait`. */
export function nameOf({ flags }: OptionDefinition): string {
  return /--([\w-]+)/.exec(flags)?.[1] ?? flags;
}

export function takesValue({ flags }: OptionDefinition): boolean {
  return flags.endsWith('>');
}

/** The flag of commands that read files which the user names. */
export const maxSizeOption: OptionDefinition = {
  flags: '--max-size <size>',
  description: 'largest file that is read, such as 50MB (default 20MB)',
};

const units: Readonly<Record<string, number>> = { '': 1, K: 1024, M: 1024 ** 2 };

/** Bytes of `--max-size`: a longer text may not fit in a string of JavaScript. */
const largest = 500 * 1024 ** 2;

/** The bytes that `--max-size` allows; 20 MB without it. A wrong size is a `usage` error. */
export function readMaxSize(value: unknown): number {
  if (value === undefined) return defaultInputBytes;
  const [, digits, unit = ''] = /^(\d{1,9}) ?([KM]?)B?$/i.exec(String(value)) ?? [];
  const bytes = Number(digits) * (units[unit.toUpperCase()] ?? Number.NaN);
  if (bytes >= 1 && bytes <= largest) return bytes;
  throw new AppError('usage', `--max-size takes a size such as 50MB, not ${String(value)}.`, {
    hint: 'The units are KB and MB; 500MB is the most.',
  });
}

/** Returns the terminal for questions; undefined if nobody could answer there. */
export function questioner(context: CommandContext): Terminal | undefined {
  const { interactive, stdin, stderr, signal, output, env } = context;
  if (!interactive || output.json || isCi(env)) return undefined;
  const { plain, screenColors } = output;
  return { stdin, stderr, signal, colors: screenColors.stderr, plain };
}
