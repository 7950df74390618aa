import { AppError } from '../src/base/errors.js';
import { type Locale, locales } from '../src/screens/render/format.js';
import type { CommandInput, OptionDefinition } from './command.js';
import { readChoice } from './flags.js';

/** The locale flag of the commands that render screens. */
export const localeOption: OptionDefinition = {
  flags: '--locale <locale>',
  description: "language of the page's interface (default: en)",
  choices: locales,
};

/** Returns the chosen locale, or English. */
export function localeOf(input: Pick<CommandInput, 'options'>): Locale {
  return readChoice(input, 'locale', locales) ?? 'en';
}

/** Returns the file name of the definition. Throws `usage` if it is empty. */
export function definitionNamed(word: CommandInput['arguments'][number]): string {
  const file = String(word);
  if (file !== '') return file;
  throw new AppError('usage', 'The file name is empty. Specify a screen definition.');
}
