import { AppError } from '../../src/base/errors.js';
import { firstDay } from '../../src/payments/reconcile/days.js';
import { isDay } from '../../src/payments/zoned-time.js';
import type { CommandInput } from '../command.js';
import { readText } from '../flags.js';

/** A flag that takes a day, `YYYY-MM-DD`; undefined where it is not given. */
export function readDay(input: CommandInput, name: string): string | undefined {
  const text = readText(input, name);
  if (text === undefined || (isDay(text) && text >= firstDay)) return text;
  const fault = isDay(text) ? `is before ${firstDay}` : 'is not a date';
  throw new AppError('usage', `--${name} ${text} ${fault}.`, {
    hint: 'Write dates as 2026-11-21.',
  });
}

/** `--day`, which is not after `today`; `byDefault` where it is not given. */
export function readPastDay(input: CommandInput, today: string, byDefault: string): string {
  const day = readDay(input, 'day') ?? byDefault;
  if (day <= today) return day;
  throw new AppError('usage', `--day ${day} is still to come; today is ${today}.`);
}
