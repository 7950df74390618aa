import { randomUUID } from 'node:crypto';
import * as validators from '#validators/site';
import { AppError } from '../../base/errors.js';
import { isLanguage, type Language } from '../../base/languages.js';
import { documentEnd, pageHeaders, pageQuery, pageReply } from '../../http/answer/page-frame.js';
import type { Reply } from '../../http/answer/reply.js';
import { type ApiRequest, type Route, type RouteGroup, routesOf } from '../../http/route/route.js';
import { inLanguage } from './addresses.js';
import { catalogueAddress, type Found, readWanted } from './catalogue.js';
import { drawFrame, type FramedPage } from './frame.js';
import { homePage } from './home.js';
import { obstacle, productPage } from './product.js';
import {
  createReadyPages,
  type DrawnPage,
  type PageKey,
  type ReadyPages,
  replyOf,
} from './ready-pages.js';
import type { Sales } from './sales.js';
import type { SitePages } from './site-pages.js';
import type { SiteView, SiteViews } from './site-view.js';
import { robots, sitemap } from './sitemap.js';

const defineRoute = routesOf<typeof validators>();

export interface PageRoutesOptions {
  readonly views: SiteViews;
  readonly pages: SitePages;
  /** Where pages are kept that were drawn. */
  readonly ready: ReadyPages;
  readonly sales: Pick<Sales, 'canPay'>;
}

type PageRequest = Pick<ApiRequest, 'header' | 'query'>;

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

function contentRoutes({ views, pages, ready, sales }: PageRoutesOptions): Route[] {
  /** The language of a request, and the one that the page's own address names. */
  async function languagesOf(request: PageRequest) {
    const { lang } = request.query;
    const named: Language | undefined =
      typeof lang === 'string' && isLanguage(lang) ? lang : undefined;
    return { language: await pages.languageOf(request), named };
  }

  async function showReady(
    { query }: PageRequest,
    key: PageKey,
    draw: () => DrawnPage,
  ): Promise<Reply> {
    const page = await ready.page(key, draw);
    return replyOf(page, pageHeaders({ lang: query.lang }));
  }

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
        const view = await views.current();
        const { language, named } = await languagesOf(request);
        const found = view.catalogue.find(readWanted(request.query));
        const path = inLanguage(catalogueAddress(found), named);
        const draw = () => drawHome({ view, language, path, found });
        // What people search for is without end: such pages are not kept.
        if (found.query) return pageReply(draw(), request.query);
        return showReady(request, { language, path }, () => ({ html: draw() }));
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
        const view = await views.current();
        const product = view.catalogue.byId(request.id);
        if (!product) throw missing(request.id);
        const { language, named } = await languagesOf(request);
        const path = inLanguage(`/products/${product.id}`, named);
        const canPay = sales.canPay();
        return showReady(request, { language, path }, () => {
          const page = drawFrame(productPage({ product, view, language, path, canPay }), view);
          if (obstacle(product, view.stock.get(product.id), canPay)) return { html: page };
          return { html: withoutEnd(page), end: () => keyField() + documentEnd };
        });
      },
    }),
  ];
}

const catalogueQuery = {
  category: { type: 'string', description: 'Products of this category alone' },
  q: { type: 'string', description: 'Products with these words' },
  page: { type: 'string', description: 'Which page of them, from 1' },
} as const;

function drawHome(options: {
  view: SiteView;
  language: Language;
  path: string;
  found: Found;
}): string {
  const page: FramedPage = homePage(options);
  return drawFrame(page, options.view);
}

function missing(id: number): AppError {
  return new AppError('not_found', `There is no product with the id ${id}.`);
}

function withoutEnd(page: string): string {
  return page.slice(0, -documentEnd.length);
}

/** What makes the orders of one visit one order, however often its form is sent. */
function keyField(): string {
  return `<input type="hidden" name="key" form="buy" value="${randomUUID()}">\n`;
}

function robotRoutes(views: SiteViews): Route[] {
  const ready = createReadyPages(views);
  const file = (path: string, name: string, type: string, draw: (view: SiteView) => string) =>
    defineRoute({
      method: 'GET',
      path,
      name,
      summary: `What search engines read: ${path}`,
      page: true,
      responses: { 200: null, 304: null },
      handle: async () => ({
        status: 200,
        ready: (
          await ready.page({ language: '', path }, async () => ({
            html: draw(await views.current()),
          }))
        ).text,
        headers: { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-cache' },
      }),
    });
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
