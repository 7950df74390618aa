import { AppError } from '../src/base/errors.js';
import { defaultInputBytes } from '../src/base/files/input-file.js';
import type { OptionDefinition } from './command.js';

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
