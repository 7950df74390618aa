import type { Product } from '#validators/site';
import { type Html, html, jsonIsland, safeUrl } from '../../base/html.js';
import { absolute, pictureAddress } from './parts.js';
import { areOpeningHours, dialled } from './shop-card.js';
import { brandOf, type SiteFacts } from './site-facts.js';
import type { Words } from './words/en.js';

/** Draws schema.org data as JSON-LD. Undefined properties are omitted. */
export function structuredData(data: Readonly<Record<string, unknown>>): Html {
  const island = jsonIsland({ '@context': 'https://schema.org', ...data });
  return html`<script type="application/ld+json">${island}</script>\n`;
}

/** Returns the shop as https://schema.org/Store. */
export function storeData(site: SiteFacts, words: Words, image: string | undefined) {
  const { origin, settings, shop } = site;
  return {
    '@type': 'Store',
    name: brandOf(site, words),
    description: settings.heroSubtitle.trim() || undefined,
    url: `${origin}/`,
    image,
    telephone: shop.phone ? (dialled(shop.phone) ?? shop.phone) : undefined,
    address: shop.address ? { '@type': 'PostalAddress', streetAddress: shop.address } : undefined,
    openingHours: areOpeningHours(shop.hours) ? shop.hours : undefined,
    hasMap: safeUrl(shop.map),
    currenciesAccepted: 'KZT',
  };
}

/** Returns a product as https://schema.org/Product. A product without a price has no offer. */
export function productData(product: Product, site: SiteFacts, left: number | undefined) {
  const { id, name, tagline, description, price, image, category } = product;
  const url = `${site.origin}/products/${id}`;
  const picture = pictureAddress(image);
  return {
    '@type': 'Product',
    name,
    description: description.trim() || tagline.trim() || undefined,
    image: picture && absolute(site.origin, picture),
    category: category.trim() || undefined,
    url,
    offers:
      price > 0
        ? {
            '@type': 'Offer',
            price,
            priceCurrency: 'KZT',
            availability: `https://schema.org/${left === 0 ? 'OutOfStock' : 'InStock'}`,
            url,
          }
        : undefined,
  };
}
