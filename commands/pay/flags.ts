import { AppError } from '../../src/base/errors.js';
import { readAmount } from '../../src/payments/amount.js';
import type { PaymentType } from '../../src/payments/payment.js';
import { normalisePhone } from '../../src/payments/phone.js';
import { isCi } from '../../src/terminal/capabilities.js';
import { ask, type Terminal } from '../../src/terminal/question.js';
import type { CommandContext, CommandInput, OptionDefinition } from '../command.js';
import { readText } from '../flags.js';

/** The terminal for questions, or undefined where nobody could answer. */
export function questioner(context: CommandContext): Terminal | undefined {
  const { interactive, stdin, stderr, signal, output, env } = context;
  if (!interactive || output.json || isCi(env)) return undefined;
  const { plain, screenColors } = output;
  return { stdin, stderr, signal, colors: screenColors.stderr, plain };
}

interface Asked<Value> {
  readonly flag: 'amount' | 'phone';
  readonly label: string;
  /** Reads what was given or typed; throws a `usage` error for what is no such value. */
  readonly read: (text: string) => Value;
}

/** The value of a flag; asked for at the terminal where it is missing. */
async function flagOrAsk<Value>(
  context: CommandContext,
  input: CommandInput,
  { flag, label, read }: Asked<Value>,
): Promise<Value> {
  const given = readText(input, flag);
  if (given !== undefined) return read(given);
  const terminal = questioner(context);
  if (!terminal) throw new AppError('usage', `--${flag} is missing.`);
  return read(await ask(terminal, { label, check: (text) => faultOf(read, text) }));
}

function faultOf(read: (text: string) => unknown, text: string): string | undefined {
  try {
    read(text);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

/** `--amount` in tenge. */
export function requireAmount(context: CommandContext, input: CommandInput): Promise<number> {
  return flagOrAsk(context, input, { flag: 'amount', label: 'Amount in tenge:', read: readAmount });
}

/** `--phone` as the provider takes it. */
export function requirePhone(
  context: CommandContext,
  input: CommandInput,
  label: string,
): Promise<string> {
  return flagOrAsk(context, input, { flag: 'phone', label, read: normalisePhone });
}

export const paymentTypes: readonly PaymentType[] = ['qr', 'invoice'];

/** The flag of the commands that ask or show something on a terminal. */
export const plainOption: OptionDefinition = {
  flags: '--plain',
  description: 'print lines and draw nothing, for screen readers; the link instead of a code',
};

/** The flag of the commands that take an id which payments of both types may have. */
export const typeOption: OptionDefinition = {
  flags: '--type <type>',
  description: 'the payment’s type, where several have the id',
  choices: paymentTypes,
};

/** The flag of the commands that wait for a payment. */
export const timeoutOption: OptionDefinition = {
  flags: '--timeout <seconds>',
  description: 'stop waiting after so long; the payment stays open (exit code 7)',
};

/** `--timeout` in milliseconds, or undefined for as long as it takes. */
export function readTimeout(input: CommandInput): number | undefined {
  const text = readText(input, 'timeout');
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (text.trim() !== '' && seconds > 0 && Number.isFinite(seconds)) return seconds * 1000;
  throw new AppError('usage', '--timeout takes seconds, more than 0.');
}

/** An operation id given as an argument. */
export function requireId({ arguments: [id] }: CommandInput): string {
  if (typeof id === 'string' && /^\d{1,30}$/.test(id)) return id;
  throw new AppError('usage', `${String(id)} is no payment id; ids are digits.`);
}
