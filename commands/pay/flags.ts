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

interface Asked<Value> {
  readonly flag: 'amount' | 'phone';
  readonly label: string;
  /** Parses the text; throws a `usage` error for an invalid value. */
  readonly read: (text: string) => Value;
}

/** Returns a given value, or asks for it. */
type AskedLater<Value> = () => Promise<Value>;

/**
 * Returns a function for the value of a flag. A given value is parsed immediately. A missing one is asked for when the
 * function is called, so a command can check the sign-in first; without a terminal, it is a `usage` error.
 */
function flagOrAsk<Value>(
  context: CommandContext,
  given: string | undefined,
  { flag, label, read }: Asked<Value>,
): AskedLater<Value> {
  if (given !== undefined) {
    const value = read(given);
    return async () => value;
  }
  const terminal = questioner(context);
  if (!terminal) throw new AppError('usage', `--${flag} is missing.`);
  return async () => read(await ask(terminal, { label, check: (text) => faultOf(read, text) }));
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

/** Returns a function for `--amount` in tenge, which may also be the command's argument. */
export function wantAmount(context: CommandContext, input: CommandInput): AskedLater<number> {
  const flag = readText(input, 'amount');
  const [word] = input.arguments;
  if (flag !== undefined && typeof word === 'string') {
    throw new AppError('usage', `The command has two amounts: ${word} and --amount ${flag}.`);
  }
  const given = flag ?? (typeof word === 'string' ? word : undefined);
  return flagOrAsk(context, given, { flag: 'amount', label: amountLabel, read: readAmount });
}

/** Returns `--amount` in tenge; undefined if it is missing. */
export function readGivenAmount(input: CommandInput): number | undefined {
  const text = readText(input, 'amount');
  return text === undefined ? undefined : readAmount(text);
}

/** Asks for an amount in tenge that passes `check`; Enter accepts `initial`. */
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

/** Returns a function for `--phone` in the provider's form. */
export function wantPhone(
  context: CommandContext,
  input: CommandInput,
  label: string,
): AskedLater<string> {
  const given = readText(input, 'phone');
  return flagOrAsk(context, given, { flag: 'phone', label, read: normalisePhone });
}

export const paymentTypes: readonly PaymentType[] = ['qr', 'invoice'];

/** The flag of commands that ask or draw on a terminal. */
export const plainOption: OptionDefinition = {
  flags: '--plain',
  description: 'print lines instead of drawing, for screen readers; a link instead of a code',
};

/** The flag of commands with an ID that payments of both types may have. */
export const typeOption: OptionDefinition = {
  flags: '--type <type>',
  description: 'the payment’s type, if several payments have the ID',
  choices: paymentTypes,
};

/** The flag of commands that wait for a payment. */
export const timeoutOption: OptionDefinition = {
  flags: '--timeout <seconds>',
  description: 'stop waiting after this time; the payment stays open (exit code 7)',
};

/** Flags of commands that make a payment. */
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
  throw new AppError('usage', 'Invalid time for --timeout. Use a number of seconds above 0.');
}

/** Returns the operation ID in the arguments; throws a `usage` error if it is invalid. */
export function requireId({ arguments: [id] }: CommandInput): string {
  if (typeof id === 'string' && /^\d{1,30}$/.test(id)) return canonicalId(id);
  throw new AppError(
    'usage',
    `${String(id)} is not a valid payment ID. Payment IDs consist of digits.`,
  );
}

/** Returns the value of a flag for a day, `YYYY-MM-DD`; undefined if it is missing. */
export function readDay(input: CommandInput, name: string): string | undefined {
  const text = readText(input, name);
  if (text === undefined || (isDay(text) && text >= firstDay)) return text;
  const fault = isDay(text) ? `is before ${firstDay}` : 'is not a date';
  throw new AppError('usage', `--${name} ${text} ${fault}.`, {
    hint: 'Write dates as 2026-11-21.',
  });
}

/** Returns `--day`, which must not be after `today`; `byDefault` if it is missing. */
export function readPastDay(input: CommandInput, today: string, byDefault: string): string {
  const day = readDay(input, 'day') ?? byDefault;
  if (day <= today) return day;
  throw new AppError('usage', `--day ${day} is in the future; today is ${today}.`);
}
