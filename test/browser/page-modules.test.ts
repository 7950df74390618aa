import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoContent } from '../../src/site/demo.js';
import { closePages, openBrowser, openPage } from '../helpers/browser.js';
import { startTestServer, type TestServer } from '../helpers/test-server.js';

// The pages' modules have no build step, so they are tested where they run: in the browser.
let browser: Browser;
let server: TestServer;
let page: Page;

beforeAll(async () => {
  [browser, server] = await Promise.all([
    openBrowser(),
    startTestServer({ demo: true, only: 'site' }),
  ]);
  ({ page } = await openPage(browser, `${server.site}/icon.svg`));
});

afterAll(async () => {
  await closePages();
  await server?.close();
});

/** Returns the result of a module's function for these arguments, as JSON (NaN is null). */
async function call(module: string, name: string, ...given: readonly unknown[]): Promise<unknown> {
  const values = given.map((value) => (value === undefined ? 'undefined' : JSON.stringify(value)));
  const json = await page.evaluate<string>(
    `import('/modules/${module}.js').then((module) => JSON.stringify(module.${name}(${values}) ?? null))`,
  );
  return JSON.parse(json);
}

describe('prices', () => {
  it.each([
    { price: 1850, expected: '1 850 ₸' },
    { price: 0, expected: '0 ₸' },
    { price: 99.5, expected: '99,50 ₸' },
    { price: 1234567, expected: '1 234 567 ₸' },
    { price: null, expected: '0 ₸' },
    { price: 'x', expected: '' },
  ])('$price is shown as “$expected”', async ({ price, expected }) => {
    expect(String(await call('format', 'formatPrice', price)).replace(/\s/g, ' ')).toBe(expected);
  });

  it.each([
    { text: '1850', expected: 1850 },
    { text: ' 1 850 ₸', expected: 1850 },
    { text: '1 850,50', expected: 1850.5 },
    { text: '99.5', expected: 99.5 },
    { text: '1,850', expected: 1850 },
    { text: '12,345,678.90', expected: 12345678.9 },
    { text: '1e+21', expected: 1e21 },
    { text: '-1', expected: -1 },
    { text: '', expected: null },
    { text: 'cheap', expected: null },
    { text: '1.2.3', expected: null },
    { text: '0x10', expected: null },
  ])('“$text” is read as $expected', async ({ text, expected }) => {
    expect(await call('format', 'parsePrice', text)).toBe(expected);
  });
});

describe('dates', () => {
  it.each([
    { text: '2026-11-01', expected: '1 November 2026' },
    { text: '2026-11-01T12:00:00', expected: '1 November 2026' },
    { text: 'soon', expected: 'soon' },
    { text: '', expected: '' },
  ])('“$text” is shown as “$expected”', async ({ text, expected }) => {
    expect(await call('format', 'formatDate', text)).toBe(expected);
  });
});

describe('picture addresses', () => {
  it.each([
    { image: 'https://example.com/a.png', expected: 'https://example.com/a.png' },
    { image: '', expected: null },
    { image: '  ', expected: null },
    { image: 'javascript:alert(1)', expected: null },
    { image: 'data:image/svg+xml,<svg/>', expected: null },
    { image: 'http://', expected: null },
    { image: 5, expected: null },
  ])('of “$image” become $expected', async ({ image, expected }) => {
    expect(await call('picture', 'pictureUrl', image)).toBe(expected);
  });

  it("that are paths are completed with the site's origin", async () => {
    expect(await call('picture', 'pictureUrl', '/demo/a.svg')).toBe(`${server.site}/demo/a.svg`);
  });
});

describe('moving a product', () => {
  const list = (...orders: readonly number[]) =>
    orders.map((order, index) => ({ id: index + 1, order }));

  it.each([
    { name: 'down by one', orders: [1, 2, 3], from: 0, to: 1, changes: [{ id: 1, order: 2.5 }] },
    { name: 'to the end', orders: [1, 2, 3], from: 0, to: 2, changes: [{ id: 1, order: 4 }] },
    { name: 'to the start', orders: [1, 2, 3], from: 2, to: 0, changes: [{ id: 3, order: 0 }] },
    { name: 'into a gap', orders: [1, 5, 9], from: 2, to: 1, changes: [{ id: 3, order: 2 }] },
    { name: 'nowhere, alone', orders: [1], from: 0, to: 0, changes: [] },
    {
      name: 'among equal values',
      orders: [1, 1, 1],
      from: 2,
      to: 1,
      changes: [
        { id: 3, order: 2 },
        { id: 2, order: 3 },
      ],
    },
    {
      name: 'where halving has used up the digits',
      orders: [1, 1 + Number.EPSILON, 9],
      from: 2,
      to: 1,
      changes: [
        { id: 3, order: 2 },
        { id: 2, order: 3 },
      ],
    },
  ])('$name stores as few changes as possible', async ({ orders, from, to, changes }) => {
    const plan = (await call('admin/order', 'planMove', list(...orders), from, to)) as {
      readonly list: readonly { readonly order: number }[];
      readonly changes: unknown;
    };
    expect(plan.changes).toEqual(changes);
    const moved = plan.list.map(({ order }) => order);
    expect(moved).toEqual([...moved].sort((a, b) => a - b));
  });
});

describe('the demo', () => {
  it('is served unchanged', async () => {
    const { data } = (await (await fetch(`${server.site}/api/products`)).json()) as {
      data: unknown;
    };
    expect(data).toMatchObject(demoContent.products);
  });

  it.each(demoContent.products)(
    'has a small self-contained picture for $name',
    async ({ image }) => {
      const picture = await readFile(new URL(`../../public${image}`, import.meta.url), 'utf8');
      expect(picture.length).toBeLessThan(4000);
      expect(picture).not.toMatch(/<script|(?:href|src)="(?!#)|url\(/i);
    },
  );
});
