import { AppError } from '../src/base/errors.js';
import { type Locale, locales } from '../src/screens/render/format.js';
import type { CommandInput, OptionDefinition } from './command.js';
import { readChoice } from './flags.js';

/** The locale of the commands that draw screens. */
export const localeOption: OptionDefinition = {
  flags: '--locale <locale>',
  description: "language of the page's own words (default: en)",
  choices: locales,
};

/** Returns the chosen locale, or English. */
export function localeOf(input: Pick<CommandInput, 'options'>): Locale {
  return readChoice(input, 'locale', locales) ?? 'en';
}

/** Returns the definition's file name. Throws `usage` if it is empty. */
export function definitionNamed(word: CommandInput['arguments'][number]): string {
  const file = String(word);
  if (file !== '') return file;
  throw new AppError('usage', 'The file name is empty. Name a screen definition.');
}
