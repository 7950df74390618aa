import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closePages, findAxeViolations, openBrowser, openPage } from '../helpers/browser.js';
import { startTestServer, type TestServer } from '../helpers/test-server.js';
import { type Bank, furnishShop, openBank, settingsFor } from './pay-shop.js';
import { readCode } from './read-code.js';

let browser: Browser;
let bank: Bank;
let server: TestServer;
let shop: Awaited<ReturnType<typeof furnishShop>>;

beforeAll(async () => {
  [browser, bank] = await Promise.all([openBrowser(), openBank()]);
  // With this interval, an unknown order stays unknown while a test checks it.
  const env = { ...settingsFor(bank), MSGSITE_RESOLVE_INTERVAL: '3600' };
  server = await startTestServer({ env });
  shop = await furnishShop(server);
});

afterAll(async () => {
  await closePages();
  await server?.close();
  await bank?.close();
});

beforeEach(() => bank.setFaults());
afterEach(() => bank.endAll());

/** Matches the browser's console messages for requests that a test causes to fail. */
const expected = /Failed to load resource|net::ERR_/;

async function openProduct(options: BrowserContextOptions = {}) {
  const opened = await openPage(browser, shop.product, { expected, locale: 'en-GB', ...options });
  if (options.javaScriptEnabled !== false)
    await opened.page.locator('#pay').waitFor({ state: 'attached' });
  return opened;
}

const dialog = (page: Page) => page.getByRole('dialog');
const buy = (page: Page) => page.getByRole('button', { name: 'Buy' }).click();

async function seeCode(page: Page): Promise<void> {
  await page.locator('#order img').waitFor();
}

async function seeStatus(page: Page, status: string): Promise<void> {
  await page.locator(`#order[data-status="${status}"]`).waitFor();
}

describe('the payment dialog', () => {
  it('shows the code and the amount together without layout shifts, and confirms the payment', async () => {
    const { page, problems } = await openProduct();
    await page.evaluate(watchPage);
    await page.getByLabel('Quantity').fill('2');
    await buy(page);
    await seeCode(page);
    const text = await page.locator('#order h1').innerText();
    expect(text.replace(/\s+/g, ' ')).toBe('To pay 3,612 ₸');
    await expect.poll(() => page.title()).toContain('Waiting for the payment');
    const order = (await shop.orders())[0];
    expect(page.url()).toBe(`${server.site}/orders/${order?.id}`);
    expect(await readCode(page)).toMatch(/^https:.*\/qr\//);
    await bank.end('Processed');
    await seeStatus(page, 'paid');
    await page.getByText('Thank you!').waitFor();
    expect(await dialog(page).innerText()).toContain('+7 701 000 11 22');
    expect(await page.evaluate('said')).toEqual(['Waiting for the payment…', 'Paid']);
    expect(await page.evaluate('moved')).toEqual([]);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it.each([
    ['Rejected', 'failed', 'Nothing was charged for this order'],
    ['Expired', 'expired', 'no longer valid'],
  ])('explains the outcome %s, and links back to the product', async (end, status, words) => {
    const { page } = await openProduct();
    await buy(page);
    await seeCode(page);
    await bank.end(end);
    await seeStatus(page, status);
    expect(await dialog(page).innerText()).toContain(words);
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.waitForURL(shop.product);
    await page.locator('#pay').waitFor({ state: 'attached' });
    await buy(page);
    await seeCode(page);
    await page.context().close();
  });

  it('asks the customer not to pay again if the outcome is unknown', async () => {
    const { page } = await openProduct();
    await bank.setFaults('lost@qr/create');
    await buy(page);
    await seeStatus(page, 'unknown');
    expect(await dialog(page).innerText()).toContain('Please do not pay again');
    expect(await dialog(page).innerText()).toMatch(/Order number\s+\d+/);
    await page.context().close();
  });

  it("closes with back and Escape, reopens with forward, and becomes the order's page after a reload", async () => {
    const { page, problems } = await openProduct();
    await buy(page);
    await seeCode(page);
    const address = page.url();
    await page.goBack();
    await dialog(page).waitFor({ state: 'hidden' });
    expect(page.url()).toBe(shop.product);
    await page.goForward();
    await seeCode(page);
    await page.keyboard.press('Escape');
    await page.waitForURL(shop.product);
    // The order is still pending, so the same order is shown again.
    await buy(page);
    await seeCode(page);
    expect(page.url()).toBe(address);
    await page.reload();
    await seeCode(page);
    expect(await dialog(page).count()).toBe(0);
    await bank.end('Processed');
    await seeStatus(page, 'paid');
    await page.goBack();
    await page.waitForURL(shop.product);
    await page.getByRole('button', { name: 'Buy' }).waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('creates only one order for a double click and a lost response', async () => {
    const before = (await shop.orders()).length;
    const { page } = await openProduct();
    let isFirst = true;
    await page.route('**/api/orders', async (route) => {
      if (!isFirst) return route.continue();
      isFirst = false;
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: 'Buy' }).dblclick();
    await seeCode(page);
    expect((await shop.orders()).length).toBe(before + 1);
    await page.context().close();
  });

  it('keeps the code while the connection is lost, reports the loss, and catches up afterwards', async () => {
    const { page } = await openProduct();
    await buy(page);
    await seeCode(page);
    await page.context().setOffline(true);
    await page.getByText('Connection lost, trying again').waitFor();
    expect(await page.locator('#order img').isVisible()).toBe(true);
    await bank.end('Processed');
    await page.context().setOffline(false);
    await seeStatus(page, 'paid');
    expect(await page.locator('.order-lost').innerText()).toBe('');
    await page.context().close();
  });

  it('offers the bank’s app on a phone, and the code on request', async () => {
    const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
    const { page } = await openProduct(phone);
    await buy(page);
    const link = page.getByRole('link', { name: 'Open the bank’s app' });
    await link.waitFor();
    expect(await page.locator('#order img').isVisible()).toBe(false);
    await page.getByText('Show the code').click();
    expect(await readCode(page)).toBe(await link.getAttribute('href'));
    await page.context().close();
  });

  it('shows the shop’s phone when payments are unavailable', async () => {
    const { page } = await openProduct();
    await bank.evict();
    await buy(page);
    await page.getByText('Payments are not possible right now').last().waitFor();
    expect(await dialog(page).innerText()).toContain('+7 701 000 11 22');
    expect(await findAxeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close' }).last().click();
    await page.waitForURL(shop.product);
    await shop.signIn();
    await page.context().close();
  });
});

describe('paying without scripts', () => {
  it('leads to a page that refreshes automatically until the order is final', async () => {
    const { page, problems } = await openProduct({ javaScriptEnabled: false });
    await buy(page);
    await page.waitForURL(/\/orders\//);
    expect(await readCode(page)).toMatch(/^https:/);
    await bank.end('Processed');
    await seeStatus(page, 'paid');
    expect(await page.locator('noscript').count()).toBe(0);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe('the page of an order', () => {
  it.each<[string, 'light' | 'dark', string, (end: Bank['end']) => Promise<unknown>]>([
    ['pending', 'light', 'ru', async () => {}],
    ['paid', 'dark', 'kk', (end) => end('Processed')],
    ['failed', 'light', 'en', (end) => end('Rejected')],
    ['expired', 'dark', 'ru', (end) => end('Expired')],
    ['unknown', 'light', 'kk', async () => {}],
  ])(
    'is accessible in light and dark mode if the order is %s',
    async (status, theme, locale, reach) => {
      if (status === 'unknown') await bank.setFaults('lost@qr/create');
      const address = await shop.order();
      await reach(bank.end);
      await shop.setTheme(theme);
      const { page } = await openPage(browser, address, { expected, locale });
      await seeStatus(page, status);
      const shown = 'document.documentElement.dataset.theme';
      expect(await page.evaluate(shown)).toBe(theme);
      expect(await findAxeViolations(page)).toEqual([]);
      await page.evaluate(`${shown} = '${theme === 'dark' ? 'light' : 'dark'}'`);
      expect(await findAxeViolations(page, 'colours')).toEqual([]);
      await page.context().close();
    },
  );
});

/** A script that records announcements and layout shifts. */
const watchPage = `{
  window.said = [];
  window.moved = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) moved.push([value, sources.map(({ node }) => node?.className ?? String(node))]);
  }).observe({ type: 'layout-shift' });
  const say = () => {
    const text = document.querySelector('dialog [role=status]')?.textContent;
    if (text && text !== said.at(-1) && text !== 'Preparing the code…') said.push(text);
  };
  new MutationObserver(say).observe(document.body, { subtree: true, childList: true, characterData: true });
}`;
