import { AppError } from '../src/errors.js';
import { defaultInputBytes } from '../src/input-file.js';
import type { CommandInput, OptionDefinition } from './command.js';

/** The flag of commands that read files which the user names. */
export const maxSizeOption: OptionDefinition = {
  flags: '--max-size <size>',
  description: 'largest file that is read, such as 500K or 50M (default 20M)',
};

const units: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20 };

/** What fits into one text in every Node.js that this runs on, in bytes. */
const mostBytes = 500 * 2 ** 20;

/** `--max-size` in bytes; 20 MB where it is not given. */
export function readMaxSize({ options: { maxSize } }: CommandInput): number {
  if (typeof maxSize !== 'string') return defaultInputBytes;
  const [, number, unit = ''] = /^(\d{1,12})([km]?)b?$/i.exec(maxSize) ?? [];
  const bytes = Number(number) * (units[unit.toLowerCase()] ?? Number.NaN);
  if (bytes >= 1 && bytes <= mostBytes) return bytes;
  throw new AppError(
    'usage',
    `--max-size takes a size up to 500M, such as 500K or 50M, not ${maxSize}.`,
  );
}
