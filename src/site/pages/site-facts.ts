import type { Settings, Shop } from '#validators/site';
import type { Words } from './words/en.js';

/** The facts that every page shows. */
export interface SiteFacts {
  /** The site's public origin, without a trailing slash. */
  readonly origin: string;
  readonly settings: Settings;
  readonly shop: Shop;
}

/** Returns the shop's name. */
export function brandOf({ settings, shop }: SiteFacts, words: Words): string {
  return shop.name.trim() || settings.heroTitle.trim() || words.welcome;
}
