import type { Product } from '#validators/site';
import { escapeText } from '../../base/html.js';

/** The most addresses in the sitemap (sitemaps.org). */
const mostAddresses = 50_000;

/** The addresses of all pages that search engines may list, as https://www.sitemaps.org/protocol.html wants them. */
export function sitemap(origin: string, products: readonly Product[]): string {
  const paths = ['/', ...products.map(({ id }) => `/products/${id}`)].slice(0, mostAddresses);
  const urls = paths.map((path) => `<url><loc>${escapeText(origin + path)}</loc></url>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('')}</urlset>
`;
}

/** What search engines are asked to leave alone, and where the sitemap is. */
export function robots(origin: string): string {
  return `User-agent: *
Disallow: /admin.html
Disallow: /api/
Disallow: /orders

Sitemap: ${origin}/sitemap.xml
`;
}
