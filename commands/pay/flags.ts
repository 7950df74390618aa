import { AppError } from '../../src/base/errors.js';
import { readAmount } from '../../src/payments/amount.js';
import type { PaymentType } from '../../src/payments/payment.js';
import { normalisePhone } from '../../src/payments/phone.js';
import { canonicalId } from '../../src/payments/providers/answer-values.js';
import { firstDay } from '../../src/payments/reconcile/days.js';
import { isDay } from '../../src/payments/zoned-time.js';
import { ask } from '../../src/terminal/ask.js';
import { formatAmount } from '../../src/terminal/formats.js';
import type { Terminal } from '../../src/terminal/question.js';
import type { CommandContext, CommandInput, OptionDefinition } from '../command.js';
import { questioner, readText } from '../flags.js';

interface Prompt<Value> {
  readonly flag: 'amount' | 'phone';
  readonly label: string;
  /** Parses the text. Throws `usage` for an invalid value. */
  readonly read: (text: string) => Value;
}

/** Returns the flag's value, or prompts for it. */
type ValueSource<Value> = () => Promise<Value>;

/**
 * Returns a function that returns the value of a flag. If the flag was given, its value is parsed immediately.
 * Otherwise, the function prompts for the value when it is called, so that a command can check the sign-in first.
 * Throws `usage` if the flag is missing and there is no terminal.
 */
function flagOrPrompt<Value>(
  context: CommandContext,
  text: string | undefined,
  { flag, label, read }: Prompt<Value>,
): ValueSource<Value> {
  if (text !== undefined) {
    const value = read(text);
    return async () => value;
  }
  const terminal = questioner(context);
  if (!terminal) throw new AppError('usage', `--${flag} is missing.`);
  return async () => read(await ask(terminal, { label, check: (typed) => faultOf(read, typed) }));
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

const amountLabel = 'Amount in tenge:';

/** Returns a function that returns the amount in tenge, from `--amount`, the command's argument or a prompt. */
export function amountSource(context: CommandContext, input: CommandInput): ValueSource<number> {
  const flag = readText(input, 'amount');
  const [word] = input.arguments;
  if (flag !== undefined && typeof word === 'string') {
    throw new AppError('usage', `The amount was specified twice: ${word} and --amount ${flag}.`);
  }
  const text = flag ?? (typeof word === 'string' ? word : undefined);
  return flagOrPrompt(context, text, { flag: 'amount', label: amountLabel, read: readAmount });
}

/** Returns `--amount` in tenge; undefined if it is missing. */
export function readAmountFlag(input: CommandInput): number | undefined {
  const text = readText(input, 'amount');
  return text === undefined ? undefined : readAmount(text);
}

/** Prompts for an amount in tenge that passes `check`. Enter accepts `initial`. */
export async function askAmount(
  terminal: Terminal,
  initial: number,
  check: (amount: number) => void,
): Promise<number> {
  const read = (text: string) => {
    const amount = readAmount(text);
    check(amount);
    return amount;
  };
  const answer = await ask(terminal, {
    label: amountLabel,
    initial: formatAmount(initial),
    check: (text) => faultOf(read, text),
  });
  return readAmount(answer);
}

/** Returns a function that returns the phone number in the provider's format, from `--phone` or a prompt. */
export function phoneSource(
  context: CommandContext,
  input: CommandInput,
  label: string,
): ValueSource<string> {
  const text = readText(input, 'phone');
  return flagOrPrompt(context, text, { flag: 'phone', label, read: normalisePhone });
}

export const paymentTypes: readonly PaymentType[] = ['qr', 'invoice'];

/** The flag of commands that prompt or draw on a terminal. */
export const plainOption: OptionDefinition = {
  flags: '--plain',
  description: 'print plain lines for screen readers, and a link instead of a QR code',
};

/** The flag of commands that take a payment ID, because payments of both types may have the same ID. */
export const typeOption: OptionDefinition = {
  flags: '--type <type>',
  description: 'the payment’s type, if several payments have this ID',
  choices: paymentTypes,
};

/** The flag of commands that wait for a payment. */
export const timeoutOption: OptionDefinition = {
  flags: '--timeout <seconds>',
  description: 'stop waiting after this time; the payment stays open (exit code 7)',
};

/** Flags of commands that create a payment. */
export const creationOptions: readonly OptionDefinition[] = [
  { flags: '--amount <tenge>', description: 'amount, such as 1500 or 1500,50' },
  { flags: '--no-wait', description: 'do not wait for the outcome' },
  timeoutOption,
  plainOption,
];

/** Returns `--timeout` in milliseconds; undefined if it is missing. */
export function readTimeout(input: CommandInput): number | undefined {
  const text = readText(input, 'timeout');
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (text.trim() !== '' && seconds > 0 && Number.isFinite(seconds)) return seconds * 1000;
  throw new AppError(
    'usage',
    'Invalid time for --timeout. Use a number of seconds greater than 0.',
  );
}

/** Returns the operation ID in the arguments. Throws `usage` if it is invalid. */
export function requireId({ arguments: [id] }: CommandInput): string {
  if (typeof id === 'string' && /^\d{1,30}$/.test(id)) return canonicalId(id);
  throw new AppError(
    'usage',
    `${String(id)} is not a valid payment ID. Payment IDs consist of digits.`,
  );
}

/** Returns the value of a date flag, `YYYY-MM-DD`; undefined if it is missing. */
export function readDay(input: CommandInput, name: string): string | undefined {
  const text = readText(input, name);
  if (text === undefined || (isDay(text) && text >= firstDay)) return text;
  const fault = isDay(text) ? `is before ${firstDay}` : 'is not a date';
  throw new AppError('usage', `--${name} ${text} ${fault}.`, {
    hint: 'Write dates as YYYY-MM-DD, such as 2026-11-21.',
  });
}

/** Returns `--day`, or `byDefault` if it is missing. Throws `usage` if the day is after `today`. */
export function readPastDay(input: CommandInput, today: string, byDefault: string): string {
  const day = readDay(input, 'day') ?? byDefault;
  if (day <= today) return day;
  throw new AppError('usage', `--day ${day} is in the future; today is ${today}.`);
}
