import { formatNumber, type Language } from '../../shared/format.ts';

/** The forms of a phrase by the plural categories of a language; `{}` is the number. */
type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

export type Plural = ReturnType<typeof createPlural>;

/**
 * Returns a function that forms the phrase for a number: in Russian, `plural({one: '{} товар', few: '{} товара',
 * …})(3)` is `3 товара`.
 */
export function createPlural(language: Language) {
  const rules = new Intl.PluralRules(language);
  return (forms: Forms) =>
    (count: number): string =>
      (forms[rules.select(count)] ?? forms.other).replace('{}', formatNumber(count, { language }));
}
