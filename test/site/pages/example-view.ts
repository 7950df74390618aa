import type { Announcement, Product, Shop } from '#validators/site';
import { cacheRepresentations } from '../../../src/http/answer/representation.js';
import { srcsetOf } from '../../../src/images/media.js';
import { createCatalogue } from '../../../src/site/pages/catalogue.js';
import type { SiteView } from '../../../src/site/pages/site-view.js';

export const shop: Shop = {
  name: 'Nan & Örik',
  phone: '+7 (701) 123-45-67',
  whatsapp: '8 701 123 45 67',
  address: 'Almaty, Abay avenue 52',
  hours: 'Mo-Su 09:00-18:00',
  language: 'ru',
  map: 'https://example.com/map?a=1&b=2',
};

/** Returns a product with every field. `changes` overrides some fields. */
export function exampleProduct(changes: Partial<Product> = {}): Product {
  return {
    id: 7,
    name: 'Құрт',
    tagline: 'Salty and dry',
    description: 'First paragraph.\nIts second line.\n\nSecond paragraph.',
    price: 1850,
    image: `/media/${'ab'.repeat(16)}-800.webp`,
    features: ['100 g', 'Keeps for a year'],
    category: 'Snacks',
    order: 1,
    ...changes,
  };
}

export function exampleView(
  changes: Partial<Omit<SiteView, 'catalogue'>> & ViewParts = {},
): SiteView {
  const { products = [exampleProduct()], ...parts } = changes;
  return {
    origin: 'https://shop.example',
    settings: { heroTitle: 'Bread every day', heroSubtitle: 'Come in', theme: 'light' },
    shop,
    announcements: [],
    stock: new Map(),
    zone: 'Asia/Almaty',
    srcsetOf,
    cached: cacheRepresentations(),
    ...parts,
    catalogue: createCatalogue(products),
  };
}

interface ViewParts {
  readonly products?: readonly Product[];
  readonly announcements?: readonly Announcement[];
}
