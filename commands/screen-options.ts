import { AppError } from '../src/base/errors.js';
import { type Locale, locales } from '../src/screens/render/format.js';
import type { OptionDefinition } from './command.js';

/** The flag of the commands that draw screens. */
export const localeOption: OptionDefinition = {
  flags: '--locale <locale>',
  description: "language of the runtime's own words (default en)",
  choices: locales,
};

/** The locale that was asked for; English without one. */
export function localeOf(value: unknown): Locale {
  if (value === undefined) return 'en';
  const locale = locales.find((known) => known === value);
  if (locale) return locale;
  throw new AppError('usage', `There is no locale ${String(value)}.`, {
    hint: `Use one of ${locales.join(', ')}.`,
  });
}
