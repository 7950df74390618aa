import { AppError } from '../src/base/errors.js';
import { type Locale, locales } from '../src/screens/render/format.js';
import type { CommandInput, OptionDefinition } from './command.js';
import { readChoice } from './flags.js';

/** The flag of the commands that draw screens. */
export const localeOption: OptionDefinition = {
  flags: '--locale <locale>',
  description: "language of the runtime's own words (default en)",
  choices: locales,
};

/** The locale that was asked for; English without one. */
export function localeOf(input: Pick<CommandInput, 'options'>): Locale {
  return readChoice(input, 'locale', locales) ?? 'en';
}

/** The file that a command draws; an empty word names none. */
export function definitionNamed(word: CommandInput['arguments'][number]): string {
  const file = String(word);
  if (file !== '') return file;
  throw new AppError('usage', 'An empty word names no file: name the screen definition.');
}
