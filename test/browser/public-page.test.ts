import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { demoContent } from '../../src/site/demo.js';
import { launchBrowser, openPage, type WatchedPage } from '../helpers/browser.js';
import { startTestServer, type TestServer } from '../helpers/test-server.js';

let browser: Browser;
let server: TestServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([
    launchBrowser(),
    startTestServer({ demo: true, only: 'site' }),
  ]);
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const names = demoContent.products.map(({ name }) => name);

describe('the public page', () => {
  let opened: WatchedPage;
  let page: Page;
  const open = async (path: string, options = {}) => {
    opened = await openPage(browser, server.site + path, options);
    page = opened.page;
  };
  beforeEach(() => () => opened?.page.context().close());

  it('shows settings, products in order and active announcements, without a single complaint', async () => {
    await open('/');
    await page.getByRole('heading', { level: 1, name: demoContent.settings.heroTitle }).waitFor();
    await expect.poll(() => page.title()).toBe(demoContent.settings.heroTitle);
    await expect.poll(() => productNames(page)).toEqual(names);
    const news = page.getByRole('region', { name: 'News' }).getByRole('heading', { level: 3 });
    await expect
      .poll(() => news.allTextContents())
      .toEqual(demoContent.announcements.filter(({ active }) => active).map(({ title }) => title));
    await expect.poll(() => page.getByText('1 450 ₸').count()).toBe(1);
    expect(opened.problems).toEqual([]);
  });

  it('shows every picture of the demo', async () => {
    await open('/', { viewport: { width: 1280, height: 4000 } });
    await productNames(page);
    await expect
      .poll(() =>
        page.evaluate<number>(
          '[...document.images].filter((image) => image.complete && image.naturalWidth > 0).length',
        ),
      )
      .toBe(names.length + 4);
    await expect.poll(() => page.locator('.monogram').count()).toBe(0);
  });

  it('narrows by category with the arrow keys, and says how many are left', async () => {
    await open('/');
    await page.getByRole('radio', { name: 'Everything' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => productNames(page)).toEqual(['Steppe espresso beans', 'Cold brew']);
    await expect.poll(() => page.getByText('2 of 9 products').isVisible()).toBe(true);
    expect(new URL(page.url()).search).toBe('?category=Coffee');
    await page.reload();
    await expect.poll(() => productNames(page)).toEqual(['Steppe espresso beans', 'Cold brew']);
  });

  it.each([
    { query: 'APRICOT', expected: ['Apricot and walnut galette', 'Mountain apricot jam'] },
    { query: 'jam mountain', expected: ['Mountain apricot jam'] },
    { query: 'dishwasher', expected: ['Stoneware piala'] },
  ])('finds “$query” in every text of a product', async ({ query, expected }) => {
    await open('/');
    await page.getByRole('searchbox', { name: 'Search the catalogue' }).fill(query);
    await expect.poll(() => productNames(page)).toEqual(expected);
  });

  it('offers the way back when nothing is found', async () => {
    await open('/?q=samovar');
    await page.getByRole('button', { name: 'Show everything' }).click();
    await expect.poll(() => productNames(page)).toEqual(names);
    expect(new URL(page.url()).search).toBe('');
  });

  it('opens a product by keyboard, gives it an address, and returns the focus on Escape', async () => {
    await open('/');
    const link = page.getByRole('link', { name: 'Cold brew' });
    await link.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Cold brew' });
    await dialog.waitFor();
    expect(new URL(page.url()).hash).toBe('#product-5');
    await expect.poll(() => dialog.getByText('500 ml glass bottle').isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => new URL(page.url()).hash).toBe('');
    await expect.poll(() => isFocused(page, '#product-5')).toBe(true);
  });

  it('opens a product from its address and closes it with the back button', async () => {
    await open('/');
    await page.getByRole('link', { name: 'Stoneware piala' }).click();
    await page.getByRole('dialog', { name: 'Stoneware piala' }).waitFor();
    const address = page.url();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.context().close();
    await open(new URL(address).hash.replace('#', '/#'));
    await page.getByRole('dialog', { name: 'Stoneware piala' }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => new URL(page.url()).hash).toBe('');
  });

  it('ignores the address of a product that is not there', async () => {
    await open('/#product-999');
    await expect.poll(() => productNames(page)).toEqual(names);
    await expect.poll(() => page.getByRole('dialog').isVisible()).toBe(false);
  });

  it('follows the theme of the settings, and starts in it on the next visit', async () => {
    await open('/');
    await page.route('**/api/settings', (route) =>
      route.fulfill({ json: { ok: true, data: { ...demoContent.settings, theme: 'dark' } } }),
    );
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Nan & Örik' }).waitFor();
    await expect.poll(() => theme(page)).toBe('dark');
    await page.route('**/api/settings', () => undefined);
    await page.reload();
    await expect.poll(() => theme(page)).toBe('dark');
  });

  it('says what went wrong in each part and loads it on a retry', async () => {
    await open('/', { expected: /Failed to load resource/ });
    await page.route('**/api/products', (route) => route.abort());
    await page.route('**/api/announcements', (route) =>
      route.fulfill({
        status: 503,
        json: { ok: false, error: 'Full.', code: 'storage_unavailable' },
      }),
    );
    await page.route('**/api/settings', (route) => route.fulfill({ status: 500, body: 'oops' }));
    await page.reload();
    await page.getByText('The server cannot be reached.').waitFor();
    await page.getByText('cannot read its data').waitFor();
    await page.getByText('status 500').waitFor();
    await page.unrouteAll();
    const retries = page.getByRole('button', { name: 'Try again' });
    for (const left of [2, 1, 0]) {
      await retries.first().press('Enter');
      await expect.poll(() => retries.count()).toBe(left);
    }
    await page.getByRole('heading', { level: 1, name: 'Nan & Örik' }).waitFor();
    await expect.poll(() => productNames(page)).toEqual(names);
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('news');
    expect(opened.problems).toEqual([]);
  });

  it('puts the first letter where a picture is missing, broken or no picture address', async () => {
    await open('/', { expected: /Failed to load resource/ });
    const images = [
      '',
      '/demo/none.svg',
      'javascript:alert(1)',
      'data:text/html,<script>1</script>',
    ];
    await answerProducts(
      page,
      images.map((image, index) => product(index, { image })),
    );
    await page.reload();
    await expect.poll(() => page.locator('.card .monogram').allTextContents()).toEqual([...'PPPP']);
  });

  it('keeps long words, long names and large prices inside a phone', async () => {
    await open('/', { viewport: { width: 320, height: 640 } });
    const long = 'Kazakhstansky'.repeat(14);
    await answerProducts(
      page,
      [1, 2, 3, 4, 5].map((index) =>
        product(index, { name: long, tagline: long, category: long, price: 123456789012.5 }),
      ),
    );
    await page.reload();
    await page.locator('.card').first().waitFor();
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    await expect.poll(() => page.evaluate(overflow)).toBe(0);
  });

  it('shows older news on demand and moves the focus there', async () => {
    await open('/');
    const announcements = Array.from({ length: 5 }, (_, index) => ({
      id: index,
      title: `News ${index}`,
      date: '2026-01-01',
      content: '',
      active: true,
    }));
    await page.route('**/api/announcements', (route) =>
      route.fulfill({ json: { ok: true, data: announcements } }),
    );
    await page.reload();
    await page.getByRole('button', { name: 'Show older news (2)' }).click();
    await expect.poll(() => page.getByRole('heading', { name: /^News \d/ }).count()).toBe(5);
    await expect.poll(() => page.locator('.news-item:focus').textContent()).toContain('News 3');
  });

  it('shows hostile content as text in every place', async () => {
    const attack = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
    await open('/');
    await answerProducts(page, [
      product(1, {
        name: attack,
        tagline: attack,
        description: attack,
        category: attack,
        features: [attack],
        image: 'javascript:document.title=1',
      }),
    ]);
    await page.route('**/api/announcements', (route) =>
      route.fulfill({
        json: {
          ok: true,
          data: [{ id: 1, title: attack, date: attack, content: attack, active: true }],
        },
      }),
    );
    await page.route('**/api/settings', (route) =>
      route.fulfill({
        json: { ok: true, data: { heroTitle: attack, heroSubtitle: attack, theme: attack } },
      }),
    );
    await page.goto(`${server.site}/?category=${encodeURIComponent(attack)}&q=img#product-1`);
    await page.reload();
    await page.getByRole('dialog').waitFor();
    const strangers =
      'document.querySelectorAll("body script, img[onerror], [href^=\'javascript\' i]").length';
    await expect.poll(() => page.evaluate(strangers)).toBe(0);
    await expect.poll(() => page.title()).toBe(attack);
    expect(opened.problems).toEqual([]);
  });
});

function product(id: number, given: Readonly<Record<string, unknown>>) {
  return {
    id,
    name: 'Piala',
    tagline: '',
    description: '',
    price: 1,
    image: '',
    features: [],
    category: '',
    order: id,
    ...given,
  };
}

function answerProducts(page: Page, data: readonly unknown[]): Promise<unknown> {
  return page.route('**/api/products', (route) => route.fulfill({ json: { ok: true, data } }));
}

async function productNames(page: Page): Promise<string[]> {
  const links = page.getByRole('region', { name: 'Catalogue' }).getByRole('heading', { level: 3 });
  await links.first().waitFor();
  return links.allTextContents();
}

function isFocused(page: Page, hash: string): Promise<boolean> {
  return page.evaluate<boolean>(`document.activeElement.hash === '${hash}'`);
}

function theme(page: Page): Promise<string> {
  return page.evaluate<string>('document.documentElement.dataset.theme');
}
