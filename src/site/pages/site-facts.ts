import type { Settings } from '#validators/site';
import { isLanguage, type Language } from '../../words/languages.js';
import type { Words } from './words/en.js';

/** What the shop says of itself; '' for what it does not say. */
export interface ShopCard {
  readonly name: string;
  readonly phone: string;
  readonly whatsapp: string;
  readonly address: string;
  readonly hours: string;
  readonly language: string;
  readonly map: string;
}

/** What every page shows of the site. */
export interface SiteFacts {
  /** Where people reach the site, without a slash at its end. */
  readonly origin: string;
  readonly settings: Settings;
  readonly shop: ShopCard;
}

/** What the shop is called. */
export function brandOf({ settings, shop }: SiteFacts, words: Words): string {
  return shop.name.trim() || settings.heroTitle.trim() || words.welcome;
}

/** The language of a shop's own words. */
export function languageOfShop({ language }: Pick<ShopCard, 'language'>): Language {
  return isLanguage(language) ? language : 'en';
}
