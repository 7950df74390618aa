import { randomUUID } from 'node:crypto';
import type { Product } from '#validators/site';
import * as validators from '#validators/site';
import { AppError } from '../../base/errors.js';
import { escapeText } from '../../base/html.js';
import { isLanguage } from '../../base/languages.js';
import { choiceHeader, pageHeaders, pageQuery, pageReply } from '../../http/answer/page-frame.js';
import { okWith, type Reply } from '../../http/answer/reply.js';
import { type Representation, represent } from '../../http/answer/representation.js';
import { type Route, type RouteGroup, routesOf } from '../../http/route/route.js';
import { inLanguage } from './addresses.js';
import { catalogueAddress, readWanted } from './catalogue.js';
import { drawFrame } from './frame.js';
import { homePage } from './home.js';
import { emptyKey, obstacle, productPage } from './product.js';
import type { Sales } from './sales.js';
import { languageFor } from './site-pages.js';
import type { SiteView, SiteViews } from './site-view.js';

const defineRoute = routesOf<typeof validators>();

export interface PageRoutesOptions {
  readonly views: SiteViews;
  readonly sales: Pick<Sales, 'canPay'>;
}

/** What visitors and search engines see: the home page, products, and the files about them. */
export function pageRoutes(options: PageRoutesOptions): RouteGroup {
  return {
    name: 'pages',
    description: 'Pages for visitors.',
    errorShape: 'site',
    schema: 'site',
    validators,
    routes: [...contentRoutes(options), ...robotRoutes(options.views), ...otherAddresses()],
  };
}

function contentRoutes({ views, sales }: PageRoutesOptions): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/',
      name: 'showHome',
      summary: 'The home page: the catalogue and the news',
      page: true,
      query: { ...pageQuery, ...catalogueQuery },
      responses: { 200: null, 304: null },
      async handle(request) {
        const { lang } = request.query;
        const view = await views.current();
        const language = languageFor(request, view.shop);
        const found = view.catalogue.find(readWanted(request.query));
        const path = inLanguage(catalogueAddress(found), namedLanguage(lang));
        const draw = () => drawFrame(homePage({ view, language, path, found }), view);
        // There is no end to what people search for: such pages are not kept.
        if (found.query) return pageReply(draw(), lang);
        const page = await view.cached(`${language} ${path}`, () => represent(draw(), pageHeaders));
        return okWith(page, choiceHeader(lang));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/products/:id',
      name: 'showProduct',
      summary: 'The page of a product',
      page: true,
      query: pageQuery,
      responses: { 200: null, 304: null },
      async handle(request) {
        const { lang } = request.query;
        const view = await views.current();
        const product = view.catalogue.byId(request.id);
        if (!product) throw missing(request.id);
        const language = languageFor(request, view.shop);
        const named = namedLanguage(lang);
        const canPay = sales.canPay();
        const page = await view.cached(`${product.id} ${language} ${named} ${canPay}`, () => {
          const path = inLanguage(`/products/${product.id}`, named);
          const drawn = productPage({ product, view, language, path, canPay });
          return represent(drawFrame(drawn, view), pageHeaders);
        });
        const hasForm = !obstacle(product, view.stock.get(product.id), canPay);
        return hasForm ? withKey(page, choiceHeader(lang)) : okWith(page, choiceHeader(lang));
      },
    }),
  ];
}

/** The language that the page's own address names. */
function namedLanguage(lang: unknown) {
  return typeof lang === 'string' && isLanguage(lang) ? lang : undefined;
}

/**
 * Puts a new key into the order form, which makes the orders of one visit one order, however often the form is sent.
 * The ETag leaves the key out, and is weak for it.
 */
function withKey({ bytes, etag, headers }: Representation, choice: Reply['headers']): Reply {
  const start = bytes.indexOf(emptyKey) + emptyKey.indexOf('""') + 1;
  const key = Buffer.from(randomUUID());
  const content = Buffer.concat([bytes.subarray(0, start), key, bytes.subarray(start)]);
  return { status: 200, content, headers: { ...headers, ...choice }, etag: `W/${etag}` };
}

const catalogueQuery = {
  category: { type: 'string', description: 'Products of this category alone' },
  q: { type: 'string', description: 'Products with these words' },
  page: { type: 'string', description: 'Which page of them, from 1' },
} as const;

function missing(id: number): AppError {
  return new AppError('not_found', `There is no product with the id ${id}.`);
}

function robotRoutes(views: SiteViews): Route[] {
  const file = (path: string, name: string, type: string, draw: (view: SiteView) => string) => {
    const headers = { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-cache' };
    return defineRoute({
      method: 'GET',
      path,
      name,
      summary: `What search engines read: ${path}`,
      page: true,
      responses: { 200: null, 304: null },
      async handle() {
        const view = await views.current();
        return okWith(await view.cached(path, () => represent(draw(view), headers)));
      },
    });
  };
  return [
    file('/sitemap.xml', 'showSitemap', 'application/xml', ({ origin, catalogue }) =>
      sitemap(origin, catalogue.products),
    ),
    file('/robots.txt', 'showRobots', 'text/plain', ({ origin }) => robots(origin)),
  ];
}

/** Addresses that people type or kept, and where they lead. */
const leads: Readonly<Record<string, string>> = {
  '/admin': '/admin.html',
  '/chat': '/chat.html',
  '/index.html': '/',
  '/products': '/#catalogue',
};

function otherAddresses(): Route[] {
  return Object.entries(leads).map(([path, target], index) =>
    defineRoute({
      method: 'GET',
      path,
      name: `leadOn${index}`,
      summary: `Leads to ${target}`,
      page: true,
      responses: { 302: null },
      handle: () => ({ status: 302, headers: { Location: target } }),
    }),
  );
}

/** The most addresses in the sitemap (sitemaps.org). */
const mostAddresses = 50_000;

/** The addresses of all pages that search engines may list, as https://www.sitemaps.org/protocol.html wants them. */
function sitemap(origin: string, products: readonly Product[]): string {
  const paths = ['/', ...products.map(({ id }) => `/products/${id}`)].slice(0, mostAddresses);
  const urls = paths.map((path) => `<url><loc>${escapeText(origin + path)}</loc></url>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('')}</urlset>
`;
}

/** What search engines are asked to leave alone, and where the sitemap is. */
function robots(origin: string): string {
  return `User-agent: *
Disallow: /admin.html
Disallow: /api/
Disallow: /orders

Sitemap: ${origin}/sitemap.xml
`;
}
