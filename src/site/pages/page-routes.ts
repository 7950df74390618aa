import { randomUUID } from 'node:crypto';
import * as validators from '#validators/site';
import { escapeText } from '../../base/html.js';
import { choiceHeader, pageHeaders, pageQuery, pageReply } from '../../http/answer/page-frame.js';
import { okWith, type Reply } from '../../http/answer/reply.js';
import { type Representation, represent } from '../../http/answer/representation.js';
import type { QueryParameters } from '../../http/request/query.js';
import { type Route, type RouteGroup, routesOf } from '../../http/route/route.js';
import { isLanguage } from '../../words/languages.js';
import { drawFrame } from './frame.js';
import { emptyKey } from './product.js';
import { type ShopPage, shopPages } from './shop-pages.js';
import { languageFor } from './site-pages.js';
import type { Sales, SiteView, SiteViews } from './site-view.js';

const defineRoute = routesOf<typeof validators>();

export interface PageRoutesOptions {
  readonly views: SiteViews;
  readonly sales: Pick<Sales, 'canPay'>;
}

/** Returns the routes of the shop pages, of the files for search engines, and of the redirects. */
export function pageRoutes(options: PageRoutesOptions): RouteGroup {
  return {
    name: 'pages',
    description: 'Pages for visitors.',
    errorShape: 'site',
    schema: 'site',
    validators,
    routes: [
      ...shopPages.map((page) => contentRoute(page, options)),
      ...robotRoutes(options.views),
      ...otherAddresses(),
    ],
  };
}

function contentRoute(page: ShopPage, { views, sales }: PageRoutesOptions): Route {
  const { path, name, summary, query } = page;
  return defineRoute({
    ...{ method: 'GET', path, name, summary },
    page: true,
    query: { ...pageQuery, ...query } as QueryParameters,
    responses: { 200: null, 304: null },
    async handle(request) {
      const { lang } = request.query;
      const view = await views.current();
      const language = languageFor(request, view.shop);
      const named = typeof lang === 'string' && isLanguage(lang) ? lang : undefined;
      const opened = page.open({ ...request, view, language, named, canPay: sales.canPay() });
      const draw = () => drawFrame(opened.draw(), view);
      if (opened.keptAs === undefined) return pageReply(draw(), lang);
      const key = `${language} ${opened.keptAs}`;
      const drawn = await view.cached(key, () => represent(draw(), pageHeaders));
      const choice = choiceHeader(lang);
      return opened.takesOrders ? withKey(drawn, choice) : okWith(drawn, choice);
    },
  });
}

/**
 * Inserts a new key into the order form, so that submitting the form twice creates only one order. The ETag is weak
 * because it ignores the key.
 */
function withKey({ bytes, etag, headers }: Representation, choice: Reply['headers']): Reply {
  const start = bytes.indexOf(emptyKey) + emptyKey.indexOf('""') + 1;
  const key = Buffer.from(randomUUID());
  const content = Buffer.concat([bytes.subarray(0, start), key, bytes.subarray(start)]);
  return { status: 200, content, headers: { ...headers, ...choice }, etag: `W/${etag}` };
}

function robotRoutes(views: SiteViews): Route[] {
  const file = (path: string, name: string, type: string, draw: (view: SiteView) => string) => {
    const headers = { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-cache' };
    return defineRoute({
      method: 'GET',
      path,
      name,
      summary: `Read ${path}, for search engines`,
      page: true,
      responses: { 200: null, 304: null },
      async handle() {
        const view = await views.current();
        return okWith(await view.cached(path, () => represent(draw(view), headers)));
      },
    });
  };
  return [
    file('/sitemap.xml', 'showSitemap', 'application/xml', sitemap),
    file('/robots.txt', 'showRobots', 'text/plain', ({ origin }) => robots(origin)),
  ];
}

/** Redirects from addresses that people type or have bookmarked. */
const redirects: Readonly<Record<string, string>> = {
  '/admin': '/admin.html',
  '/chat': '/chat.html',
  '/index.html': '/',
  '/products': '/#catalogue',
};

function otherAddresses(): Route[] {
  return Object.entries(redirects).map(([path, target], index) =>
    defineRoute({
      method: 'GET',
      path,
      name: `redirect${index}`,
      summary: `Redirect to ${target}`,
      page: true,
      responses: { 302: null },
      handle: () => ({ status: 302, headers: { Location: target } }),
    }),
  );
}

/** Maximum number of addresses in the sitemap (sitemaps.org). */
const maxAddresses = 50_000;

/** Returns the sitemap: https://www.sitemaps.org/protocol.html. */
function sitemap(view: SiteView): string {
  const { origin } = view;
  const paths = shopPages.flatMap(({ addresses }) => addresses(view)).slice(0, maxAddresses);
  const urls = paths.map((path) => `<url><loc>${escapeText(origin + path)}</loc></url>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('')}</urlset>
`;
}

/** Returns robots.txt: the disallowed paths and the address of the sitemap. */
function robots(origin: string): string {
  return `User-agent: *
Disallow: /admin.html
Disallow: /api/
Disallow: /orders

Sitemap: ${origin}/sitemap.xml
`;
}
