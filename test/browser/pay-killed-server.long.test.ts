import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { quietPort } from '../chat/killable-server.js';
import { closePages, openBrowser, openPage } from '../helpers/browser.js';
import { startServe } from '../helpers/msgsite-process.js';
import { type Bank, furnishShop, openBank, settingsFor } from './pay-shop.js';

let browser: Browser;
let bank: Bank;
let folder: string;
let start: () => ReturnType<typeof startServe>;
let server: Awaited<ReturnType<typeof startServe>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'msgsite-pay-'));
  [browser, bank] = await Promise.all([openBrowser(), openBank()]);
  const env = {
    ...settingsFor(bank),
    MSGSITE_PORT: await quietPort(),
    MSGSITE_GATEWAY_PORT: await quietPort(),
    MSGSITE_DATA: join(folder, 'data'),
  };
  start = () => startServe([], { env, cwd: folder });
  server = await start();
});

afterAll(async () => {
  await closePages();
  await server?.end('SIGKILL');
  await bank?.close();
  await rm(folder, { recursive: true, force: true });
});

it('the shop page creates one order and one payment if the server is killed before it responds to the click', async () => {
  const shop = await furnishShop(server);
  const expected = /Failed to load resource|net::ERR_/;
  const { page, problems } = await openPage(browser, shop.product, { expected, locale: 'en-GB' });
  await page.locator('#pay').waitFor({ state: 'attached' });
  // The bank creates the code but responds only after the server was killed.
  await bank.setFaults('late=60@qr/create x1');
  await page.getByRole('button', { name: 'Buy' }).click();
  await expect.poll(async () => (await bank.operations()).length).toBe(1);
  await server.end('SIGKILL');
  await page.getByText('Connection lost, trying again').waitFor();
  server = await start();
  await page.locator('#order img').waitFor();
  expect((await shop.orders()).map(({ id }) => `${server.site}/orders/${id}`)).toEqual([
    page.url(),
  ]);

  // The server is killed again while the page waits for the payment.
  await server.end('SIGKILL');
  await page.getByText('Connection lost, trying again').waitFor();
  expect(await page.locator('#order img').isVisible()).toBe(true);
  await bank.end('Processed');
  server = await start();
  await page.getByText('Thank you!').waitFor();
  expect(await bank.operations()).toHaveLength(1);
  expect(await shop.orders()).toMatchObject([{ status: 'paid' }]);
  expect(problems).toEqual([]);
  await page.context().close();
});
