import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { demoContent } from '../../src/site/demo.js';
import { languages } from '../../src/words/languages.js';
import { type ApiClient, createApiClient } from '../helpers/api-client.js';
import {
  closePages,
  findAxeViolations,
  openBrowser,
  openPage,
  type WatchedPage,
} from '../helpers/browser.js';
import { startTestServer, type TestServer } from '../helpers/test-server.js';

let browser: Browser;
let server: TestServer;
let api: ApiClient;
const names = demoContent.products.map(({ name }) => name);

beforeAll(async () => {
  [browser, server] = await Promise.all([
    openBrowser(),
    startTestServer({ demo: true, only: 'site' }),
  ]);
  api = await createApiClient(server.site);
});

afterAll(async () => {
  await closePages();
  await server?.close();
});

let opened: WatchedPage;
let page: Page;
async function open(path: string, options = {}): Promise<void> {
  opened = await openPage(browser, server.site + path, options);
  page = opened.page;
}
beforeEach(() => () => opened?.page.context().close());

async function productNames(): Promise<string[]> {
  return page.locator('#products h3').allTextContents();
}

/** Returns the width by which the page exceeds the window, in pixels. */
function overflow(): Promise<number> {
  return page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
}

/** The looks are assigned in turn, so that every path and language is checked in both themes and at both widths. */
const looks = [
  { width: 1280, theme: 'light' },
  { width: 320, theme: 'light' },
  { width: 1280, theme: 'dark' },
  { width: 320, theme: 'dark' },
] as const;
const seen = languages
  .flatMap((language) => ['/', '/products/3', '/nowhere'].map((path) => ({ language, path })))
  .map((state, index) => ({ ...state, ...(looks[index % looks.length] ?? looks[0]) }));

describe('accessibility of the site', () => {
  it.each(seen)(
    'has no axe violations at $path in $language, with $width px and the $theme theme',
    async (state) => {
      const { path, language, width, theme } = state;
      await open(`${path}?lang=${language}`, { expected: /404/, viewport: { width, height: 800 } });
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      expect(await findAxeViolations(page)).toEqual([]);
      expect(await overflow()).toBe(0);
      expect(opened.problems).toEqual([]);
    },
  );
});

/** A script that scrolls down the page and returns the sum of unexpected layout shifts. */
const shiftOfPage = `(async () => {
  let shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  const frame = () => new Promise(requestAnimationFrame);
  for (let y = 0; y < document.body.scrollHeight; y += 400) {
    scrollTo({ top: y, behavior: 'instant' });
    await frame();
    await frame();
  }
  await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
  await frame();
  await frame();
  return shift;
})()`;

describe('a page of the site', () => {
  it.each([
    { path: '/', width: 1280 },
    { path: '/', width: 360 },
    { path: '/products/3', width: 1280 },
    { path: '/products/3', width: 360 },
  ])('$path does not shift while it loads, at $width px', async ({ path, width }) => {
    await open(path, { viewport: { width, height: 800 } });
    expect(await page.evaluate<number>(shiftOfPage)).toBeLessThanOrEqual(0.02);
    expect(opened.problems).toEqual([]);
  });

  it('loads four files with less than 15 kB in total', async () => {
    opened = await openPage(browser, 'about:blank', { viewport: { width: 360, height: 600 } });
    page = opened.page;
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    const sizes: Promise<number>[] = [];
    page.on('response', (response) => {
      if (/\.(?:svg|ico)$/.test(response.url()) || response.url().startsWith('data:')) return;
      sizes.push(
        response
          .request()
          .sizes()
          .then(({ responseBodySize }) => responseBodySize),
      );
    });
    await page.goto(server.site, { waitUntil: 'networkidle' });
    expect(requests.filter((path) => !/\.(?:svg|ico)$/.test(path)).sort()).toEqual([
      '/',
      '/app.js',
      '/site.css',
      '/style.css',
    ]);
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeGreaterThan(5_000);
    expect(bytes).toBeLessThan(15_000);
  });

  it('can be read and searched without JavaScript', async () => {
    await open('/', { javaScriptEnabled: false });
    expect(await productNames()).toEqual(names);
    await page.getByRole('searchbox', { name: 'Search the catalogue' }).fill('apricot');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=apricot/);
    expect(await productNames()).toEqual(['Apricot and walnut galette', 'Mountain apricot jam']);
    await page.getByRole('link', { name: 'Bakery' }).click();
    await page.waitForURL(/category=Bakery/);
    expect(await productNames()).toEqual(['Apricot and walnut galette']);
    await page.getByRole('link', { name: 'Қазақша' }).click();
    await page.waitForURL(/lang=kk/);
    await page.getByRole('link', { name: 'Apricot and walnut galette' }).click();
    await page.getByRole('link', { name: 'Каталогқа оралу' }).click();
    expect(await page.getAttribute('html', 'lang')).toBe('kk');
    expect(await productNames()).toEqual(names);
  });

  it('updates the results while the user types, announces them, and supports going back', async () => {
    await open('/');
    await page.evaluate('window.isSamePage = true');
    const search = page.getByRole('searchbox', { name: 'Search the catalogue' });
    await search.focus();
    await page.keyboard.type('aprICot');
    await expect.poll(productNames).toEqual(['Apricot and walnut galette', 'Mountain apricot jam']);
    expect(await page.getByRole('status').textContent()).toBe('2 of 9 products');
    expect(await page.evaluate('document.activeElement.id')).toBe('query');
    expect(new URL(page.url()).search).toBe('?q=aprICot');
    const pantry = page.getByRole('link', { name: 'Pantry' });
    await pantry.focus();
    await page.keyboard.press('Enter');
    await expect.poll(productNames).toEqual(['Mountain apricot jam']);
    await expect
      .poll(() => page.evaluate<string>('document.activeElement.textContent'))
      .toContain('Pantry');
    expect(await pantry.getAttribute('aria-current')).toBe('true');
    await page.goBack();
    await expect.poll(productNames).toHaveLength(2);
    await search.fill('samovar');
    await page.getByRole('link', { name: 'Show everything' }).click();
    await expect.poll(productNames).toEqual(names);
    expect(await search.inputValue()).toBe('');
    expect(await page.getByRole('status').textContent()).toBe('9 products');
    expect(await page.evaluate('window.isSamePage')).toBe(true);
    expect(opened.problems).toEqual([]);
  });

  it('redirects old links to the page of the product', async () => {
    await open('/#product-5');
    await page.waitForURL(`${server.site}/products/5`);
    await page.getByRole('heading', { level: 1, name: 'Cold brew' }).waitFor();
  });

  it('shows the first letter of the name if a picture does not load', async () => {
    const body = { name: 'Қаймақ', image: '/demo/none.svg', category: 'Letters' };
    const { body: made } = await api('POST', '/api/admin/products', { body });
    await open(`/products/${made.data.id}`, { expected: /Failed to load resource/ });
    await expect.poll(() => page.locator('.monogram').textContent()).toBe('Қ');
    await api('DELETE', `/api/admin/products/${made.data.id}`);
  });

  it('keeps long words and large prices within the width of a phone', async () => {
    const long = 'Kazakhstansky'.repeat(14);
    const body = {
      name: long,
      tagline: long,
      category: long,
      price: 123456789012.5,
      features: [long],
    };
    const { body: made } = await api('POST', '/api/admin/products', { body });
    for (const path of ['/', `/products/${made.data.id}`]) {
      await open(path, { viewport: { width: 320, height: 640 } });
      await expect.poll(overflow).toBe(0);
      await page.context().close();
    }
    await api('DELETE', `/api/admin/products/${made.data.id}`);
  });
});
