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
