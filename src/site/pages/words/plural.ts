import type { Language } from '../../../base/languages.js';

/** The forms of a noun by the plural categories that a language has; `{}` stands for the number. */
export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & {
  readonly other: string;
};

/** Gives the phrase for a number: `plural('ru', {one: '{} товар', few: '{} товара', …})(3)` is `3 товара`. */
export function plural(language: Language, forms: Forms): (count: number) => string {
  let rules: Intl.PluralRules | undefined;
  return (count) => {
    rules ??= new Intl.PluralRules(language);
    return (forms[rules.select(count)] ?? forms.other).replace('{}', grouped(count));
  };
}

/** Made with the first number: the first format of all takes longer to make than a small command to start. */
let groups: Intl.NumberFormat | undefined;

/** A number in groups of three, with no-break spaces: `2 000`. */
export function grouped(count: number): string {
  groups ??= new Intl.NumberFormat('ru-KZ');
  return groups.format(count);
}
