import type { Language } from '../../../base/languages.js';
import { formatNumber } from '../../../base/number-formats.js';

/** The forms of a noun by the plural categories that a language has; `{}` stands for the number. */
export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & {
  readonly other: string;
};

/** Gives the phrase for a number: `plural('ru', {one: '{} товар', few: '{} товара', …})(3)` is `3 товара`. */
export function plural(language: Language, forms: Forms): (count: number) => string {
  let rules: Intl.PluralRules | undefined;
  return (count) => {
    rules ??= new Intl.PluralRules(language);
    return (forms[rules.select(count)] ?? forms.other).replace('{}', formatNumber(count, language));
  };
}
