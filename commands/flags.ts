import { AppError } from '../src/base/errors.js';
import type { CommandInput } from './command.js';

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
