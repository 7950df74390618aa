/** The languages of pages for visitors, as BCP 47 tags. */
export const languages = ['en', 'ru', 'kk'] as const;

export type Language = (typeof languages)[number];

export function isLanguage(text: string): text is Language {
  return (languages as readonly string[]).includes(text);
}
