/** The languages that pages for visitors are written in (BCP 47). */
export const languages = ['en', 'ru', 'kk'] as const;

export type Language = (typeof languages)[number];

export function isLanguage(text: string): text is Language {
  return (languages as readonly string[]).includes(text);
}
