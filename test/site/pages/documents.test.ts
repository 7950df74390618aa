import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { demoContent } from '../../../src/site/demo.js';
import { readSelection } from '../../../src/site/pages/catalogue.js';
import { drawFrame } from '../../../src/site/pages/frame.js';
import { homePage } from '../../../src/site/pages/home.js';
import { productPage } from '../../../src/site/pages/product.js';
import { languages } from '../../../src/words/languages.js';
import { createApiClient } from '../../helpers/api-client.js';
import { startTestServer, type TestServer } from '../../helpers/test-server.js';
import { exampleProduct, exampleView } from './example-view.js';
import { findHtmlFaults } from './html-rules.js';
import { headingsOf, headOf, structuredDataOf } from './page-facts.js';

let server: TestServer;
const origin = 'https://shop.example/bakery';

beforeAll(async () => {
  server = await startTestServer({
    demo: true,
    only: 'site',
    env: { MSGSITE_PUBLIC_URL: `${origin}/` },
  });
  const api = await createApiClient(server.site);
  const body = { phone: '8 (701) 123-45-67', hours: 'Mo-Su 09:00-18:00', address: 'Abay 52' };
  await api('PUT', '/api/admin/shop', {
    body: { ...body, name: 'Nan', map: 'https://map.example/' },
  });
});

afterAll(() => server?.close());

const asBrowser = { Accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' };

function ask(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  return fetch(server.site + path, {
    method,
    headers: { ...asBrowser, ...headers },
    redirect: 'manual',
  });
}

async function read(path: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  return (await ask(path, headers)).text();
}

describe('the HTML of a page', () => {
  test.each([
    '/',
    '/?lang=ru',
    '/?lang=kk&category=Bakery',
    '/?q=apricot',
    '/?q=samovar%22%3E',
    '/products/3',
    '/products/9?lang=kk',
    '/products/999',
    '/nowhere?lang=ru',
  ])('is valid at %s', async (path) => {
    expect(await findHtmlFaults(await read(path))).toEqual([]);
  });

  test.each(languages)(
    'is valid for a product with an order form, in the language %s',
    async (language) => {
      const [product, view] = [exampleProduct(), exampleView({ stock: new Map([[7, 3]]) })];
      const path = '/products/7';
      const page = drawFrame(productPage({ product, view, language, path, canPay: true }), view);
      expect(await findHtmlFaults(page)).toEqual([]);
      expect(page).toContain('max="3"');
    },
  );
});

describe('the home page', () => {
  test('shows all content without JavaScript', async () => {
    const page = await read('/');
    expect(headingsOf(page, 1)).toEqual([demoContent.settings.heroTitle]);
    const active = demoContent.announcements.filter((each) => each.active);
    const names = [...demoContent.products.map(({ name }) => name), ...active.map((a) => a.title)];
    expect(headingsOf(page, 3)).toEqual(names);
    expect(page).toContain('1,450\u00a0₸');
    expect(page).toContain('<a href="tel:+77011234567">8 (701) 123-45-67</a>');
    expect(page).toContain('Mo-Su 09:00-18:00');
    expect(page).toContain('href="https://map.example/"');
  });

  test('filters by category and search words, and repeats both in the form', async () => {
    const page = await read('/?category=Pantry&q=%D0%B0pricot'.replace('%D0%B0', 'a'));
    expect(headingsOf(page, 3)[0]).toBe('Mountain apricot jam');
    expect(page).toContain('name="q" type="search" value="apricot"');
    expect(page).toContain('<input type="hidden" name="category" value="Pantry">');
    expect(page).toContain('1 of 9 products');
    expect(headOf(page)).toMatchObject({ robots: 'noindex' });
  });

  test('has metadata for search engines and messengers', async () => {
    const head = headOf(await read('/'));
    expect(head).toMatchObject({
      lang: 'en',
      title: 'Nan & Örik — Nan',
      canonical: `${origin}/`,
      'hreflang x-default': `${origin}/`,
      'hreflang ru': `${origin}/?lang=ru`,
      'og:url': `${origin}/`,
      'og:image': `${origin}/demo/beans.svg`,
      'og:locale': 'en_US',
      'og:site_name': 'Nan',
      description: demoContent.settings.heroSubtitle,
    });
    const inRussian = headOf(await read('/?lang=ru&category=Bakery'));
    expect(inRussian).toMatchObject({
      lang: 'ru',
      canonical: `${origin}/?category=Bakery&lang=ru`,
      'hreflang kk': `${origin}/?category=Bakery&lang=kk`,
      'og:locale': 'ru_RU',
    });
  });

  test.each([
    ['Come in', 'Come in'],
    [' ', 'Bread every day: Құрт, Nan'],
  ])('for the subtitle “%s” has the description “%s”', (heroSubtitle, description) => {
    const settings = { ...exampleView().settings, heroSubtitle };
    const products = [exampleProduct(), exampleProduct({ id: 8, name: 'Nan', order: 2 })];
    const view = exampleView({ settings, products });
    const found = view.catalogue.find(readSelection({}));
    const page = drawFrame(homePage({ view, language: 'en', path: '/', found }), view);
    expect(headOf(page)).toMatchObject({ description, 'og:description': description });
  });

  test('has structured data of the type Store with the details that are set', async () => {
    expect(structuredDataOf(await read('/'))).toEqual({
      '@context': 'https://schema.org',
      '@type': 'Store',
      name: 'Nan',
      description: demoContent.settings.heroSubtitle,
      url: `${origin}/`,
      image: `${origin}/demo/beans.svg`,
      telephone: '+77011234567',
      address: { '@type': 'PostalAddress', streetAddress: 'Abay 52' },
      openingHours: 'Mo-Su 09:00-18:00',
      hasMap: 'https://map.example/',
      currenciesAccepted: 'KZT',
    });
  });
});

describe('a product page', () => {
  test('shows all content and links to the next products without JavaScript', async () => {
    const page = await read('/products/5');
    const { name, description, features } = demoContent.products[4];
    expect(headingsOf(page, 1)).toEqual([name]);
    for (const text of [description, ...features, '1,900\u00a0₸']) expect(page).toContain(text);
    expect(page).toContain('rel="prev" href="/products/4"');
    expect(page).toContain('rel="next" href="/products/6"');
    expect(page).toContain('href="/#catalogue"');
    // This server cannot take payments, so the shop's contact details replace the order form.
    expect(page).not.toContain('<form id="buy"');
    expect(page).toMatch(/You cannot pay on the site.*tel:\+77011234567/s);
  });

  test('has structured data of the type Product with an offer in tenge', async () => {
    const page = await read('/products/5?lang=kk');
    const url = `${origin}/products/5`;
    expect(headOf(page)).toMatchObject({
      lang: 'kk',
      title: 'Cold brew — Nan',
      canonical: `${url}?lang=kk`,
      'hreflang en': `${url}?lang=en`,
      'og:type': 'product',
      'og:image': `${origin}/demo/cold-brew.svg`,
      'product:price:amount': '1900',
    });
    expect(structuredDataOf(page)).toMatchObject({
      '@type': 'Product',
      name: 'Cold brew',
      image: `${origin}/demo/cold-brew.svg`,
      category: 'Coffee',
      offers: {
        '@type': 'Offer',
        price: 1900,
        priceCurrency: 'KZT',
        availability: 'https://schema.org/InStock',
        url,
      },
    });
  });

  test.each([
    { name: 'sold out', left: 0, price: 10, text: 'sold out', offers: 'OutOfStock' },
    { name: 'on request', left: 4, price: 0, text: 'Ask us for the price', offers: undefined },
  ])(
    'has no order form and states the reason if the product is $name',
    ({ left, price, text, offers }) => {
      const [product, view] = [
        exampleProduct({ price }),
        exampleView({ stock: new Map([[7, left]]) }),
      ];
      const options = { product, view, language: 'en', path: '/products/7', canPay: true } as const;
      const page = drawFrame(productPage(options), view);
      expect(page).toContain(text);
      expect(page).not.toContain('id="buy"');
      const { availability } = structuredDataOf(page).offers ?? {};
      expect(availability).toBe(offers && `https://schema.org/${offers}`);
    },
  );

  test('loads an uploaded picture with high priority, and offers all sizes', () => {
    const [product, view] = [exampleProduct(), exampleView()];
    const options = { product, view, language: 'ru', path: '/products/7', canPay: true } as const;
    const page = drawFrame(productPage(options), view);
    const name = `/media/${'ab'.repeat(16)}`;
    expect(page).toContain(`${name}-400.webp 400w, ${name}-800.webp 800w, ${name}-1600.webp 1600w`);
    expect(page).toContain('fetchpriority="high"');
    expect(page).not.toContain('loading="lazy"');
  });
});

describe('the language', () => {
  test.each([
    ['/', {}, 'en'],
    ['/', { 'Accept-Language': 'de, ru;q=0.9, en;q=0.8' }, 'ru'],
    ['/', { 'Accept-Language': 'ru', Cookie: 'a=b; lang=kk' }, 'kk'],
    ['/?lang=en', { 'Accept-Language': 'ru', Cookie: 'lang=kk' }, 'en'],
    ['/?lang=de', { 'Accept-Language': 'kk-KZ' }, 'kk'],
    ['/products/1', { 'Accept-Language': 'ru' }, 'ru'],
    ['/nowhere', { Cookie: 'lang=ru' }, 'ru'],
  ] as [string, Record<string, string>, string][])(
    'of %s with the headers %j is %s',
    async (path, headers, expected) => {
      const answer = await ask(path, headers);
      expect(headOf(await answer.text()).lang).toBe(expected);
      if (answer.ok) expect(answer.headers.get('vary')).toMatch(/Accept-Language.*Cookie/);
    },
  );

  test('is stored in a cookie when it is chosen, and preserved in links if it is in the address', async () => {
    const chosen = await ask('/?lang=kk');
    expect(chosen.headers.get('set-cookie')).toMatch(
      /^lang=kk; Max-Age=31536000; Path=\/; SameSite=Lax$/,
    );
    expect(await chosen.text()).toContain('href="/products/1?lang=kk"');
    const plain = await ask('/', { Cookie: 'lang=kk' });
    expect(plain.headers.get('set-cookie')).toBeNull();
    expect(await plain.text()).toContain('href="/products/1"');
  });

  test("falls back to the shop's language", async () => {
    const other = await startTestServer({ only: 'site' });
    const api = await createApiClient(other.site);
    await api('PUT', '/api/admin/shop', { body: { language: 'ru' } });
    const page = await (await fetch(other.site)).text();
    expect(headOf(page)).toMatchObject({ lang: 'ru' });
    expect(page).toContain('В каталоге пока ничего нет');
    expect(await findHtmlFaults(page)).toEqual([]);
    await other.close();
  });
});

describe('responses', () => {
  test.each(['/', '/products/2', '/?q=bread', '/sitemap.xml', '/robots.txt'])(
    'to %s have an ETag, and status 304 if it matches',
    async (path) => {
      const first = await ask(path);
      const etag = first.headers.get('etag') ?? '';
      expect(etag).not.toBe('');
      expect(first.headers.get('cache-control')).toBe('no-cache');
      const again = await ask(path, { 'If-None-Match': etag });
      expect([again.status, await again.text()]).toEqual([304, '']);
      const inRussian = await ask(path, { 'If-None-Match': etag, 'Accept-Language': 'ru' });
      expect(inRussian.status).toBe(path.includes('.') ? 304 : 200);
    },
  );

  test.each([
    ['/admin', '/admin.html'],
    ['/chat', '/chat.html'],
    ['/index.html', '/'],
    ['/products', '/#catalogue'],
  ])('redirect %s to %s', async (path, target) => {
    const { status, headers } = await ask(path);
    expect([status, headers.get('location')]).toEqual([302, target]);
  });

  test('include an icon at /favicon.ico', async () => {
    const answer = await ask('/favicon.ico');
    expect(answer.headers.get('content-type')).toMatch(/^image\/(x-icon|vnd\.microsoft\.icon)$/);
    expect(Buffer.from(await answer.arrayBuffer()).readUInt32LE(0)).toBe(0x10000);
  });

  test.each([
    ['*/*', false],
    ['text/html', true],
    ['text/html;q=0', false],
    ['text/html, application/json', true],
    ['application/json, text/html;q=0.5', false],
    ['application/json;q=0.4, text/html;q=0.5', true],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ])('to an unknown path with Accept %s are a page: %s', async (accept, isPage) => {
    const answer = await ask('/nowhere', { Accept: accept });
    expect(answer.status).toBe(404);
    const type = isPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8';
    expect(answer.headers.get('content-type')).toBe(type);
  });

  test('have the language of the first ?lang= if it is repeated', async () => {
    const answer = await ask('/?lang=ru&lang=kk');
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('<html lang="ru"');
  });

  test.each([
    ['/nowhere', 'GET', 404],
    ['/products/999', 'GET', 404],
    ['/products/pie', 'GET', 404],
    ['/', 'POST', 405],
    ['/?q=a&q=b', 'GET', 400],
  ])(
    'to %s (%s) have status %i, a page for a browser, and JSON for an API client',
    async (path, method, status) => {
      const page = await ask(path, {}, method);
      expect(page.status).toBe(status);
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(page.headers.get('cache-control')).toBe('no-store');
      const text = await page.text();
      expect(text).toContain('tel:+77011234567');
      expect(text).toContain('href="/"');
      expect(headOf(text)).toMatchObject({ robots: 'noindex' });
      const json = await ask(path, { Accept: 'application/json' }, method);
      expect(await json.json()).toMatchObject({ ok: false });
    },
  );
});

describe('a search engine', () => {
  test('finds every page in a valid sitemap', async () => {
    const contents = await read('/sitemap.xml');
    const schema = await readFile(new URL('sitemap.xsd', import.meta.url), 'utf8');
    const outcome = await validateXML({
      xml: [{ fileName: 'sitemap.xml', contents }],
      schema: [schema],
    });
    expect(outcome.errors).toEqual([]);
    const addresses = [...contents.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address);
    expect(addresses).toHaveLength(demoContent.products.length + 1);
    expect(addresses.slice(0, 2)).toEqual([`${origin}/`, `${origin}/products/1`]);
  });

  test('finds the sitemap in robots.txt', async () => {
    expect(await read('/robots.txt')).toMatch(
      /^Sitemap: https:\/\/shop\.example\/bakery\/sitemap\.xml$/m,
    );
  });
});
