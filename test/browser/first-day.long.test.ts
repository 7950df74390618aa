import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Words } from '../../src/pages/admin/words/en.js';
import { kk } from '../../src/pages/admin/words/kk.js';
import { createPlural } from '../../src/pages/admin/words/plural.js';
import { ru } from '../../src/pages/admin/words/ru.js';
import { closePages, findAxeViolations, openBrowser, openPage } from '../helpers/browser.js';
import { runCli } from '../helpers/run-cli.js';
import { startTestServer, type TestServer } from '../helpers/test-server.js';
import { pictureOf } from '../images/pictures.js';
import { createGatewayClient } from '../payments/gateway-client.js';
import { latinWords } from './admin-words.js';

/** The owner's own texts in a language. */
interface Shop {
  readonly lang: 'kk' | 'ru';
  readonly locale: string;
  readonly name: string;
  readonly address: string;
  readonly subtitle: string;
  readonly products: readonly [string, string];
  readonly category: string;
  readonly news: string;
  readonly people: readonly [string, string];
}

const shops: readonly Shop[] = [
  {
    lang: 'kk',
    locale: 'kk-KZ',
    name: 'Айгүл наубайханасы',
    address: 'Абай даңғылы, 12, Алматы',
    subtitle: 'Күн сайын жаңа пісірілген нан',
    products: ['Бал торты', 'Самса'],
    category: 'Торттар',
    news: 'Жексенбіде жабықпыз',
    people: ['Айгүл', 'Нұрлан'],
  },
  {
    lang: 'ru',
    locale: 'ru-RU',
    name: 'Пекарня Айгуль',
    address: 'проспект Абая, 12, Алматы',
    subtitle: 'Свежий хлеб каждый день',
    products: ['Медовик', 'Самса'],
    category: 'Торты',
    news: 'В воскресенье закрыто',
    people: ['Айгуль', 'Нурлан'],
  },
];

/** A folder for a picture of every step, to look at. */
const pictures = process.env.MSGSITE_TEST_PICTURES;

let server: TestServer;
beforeEach(async () => {
  const env = { MSGSITE_SANDBOX_SPEED: '100', MSGSITE_POLL_INTERVAL: '0.05' };
  server = await startTestServer({ env });
});
afterEach(() => server.close());
afterAll(closePages);

describe('the first day of an owner', () => {
  it.each(shops)('needs no English, no shell and no documentation in $lang', async (shop) => {
    const words = { kk, ru }[shop.lang](createPlural(shop.lang));
    const { page, problems } = await openPage(await openBrowser(), `${server.site}/admin`, {
      locale: shop.locale,
      viewport: { width: 390, height: 844 },
      expected: /Failed to load resource/,
    });
    let number = 0;
    const step = async (name: string, act: () => Promise<unknown>) => {
      await act();
      number += 1;
      expect(await latinWords(page, Object.values(shop).flat()), name).toEqual([]);
      expect(await findAxeViolations(page), name).toEqual([]);
      if (pictures === undefined) return;
      await mkdir(pictures, { recursive: true });
      const file = `${shop.lang}-${String(number).padStart(2, '0')}-${name}.png`;
      await page.screenshot({ path: join(pictures, file), fullPage: true });
    };
    for (const [name, task] of Object.entries(tasks)) {
      await step(name, () => task({ page, shop, words }));
    }
    expect(problems).toEqual([]);
  });
});

interface Task {
  readonly page: Page;
  readonly shop: Shop;
  readonly words: Words;
}

const tasks: Readonly<Record<string, (task: Task) => Promise<unknown>>> = {
  'opens the page in the language of the browser': async ({ page, shop, words }) => {
    await page.getByRole('heading', { name: words.start.title }).waitFor();
    expect(await page.getAttribute('html', 'lang')).toBe(shop.lang);
  },
  'enters the contacts': async ({ page, shop, words }) => {
    await page.getByRole('link', { name: words.start.shop }).click();
    await page.getByLabel(words.shop.name, { exact: true }).fill(shop.name);
    await page.getByLabel(words.shop.phone, { exact: true }).fill('+7 701 234 56 78');
    await page.getByLabel(words.shop.whatsapp, { exact: true }).fill('+7 701 234 56 78');
    await page.getByLabel(words.shop.address, { exact: true }).fill(shop.address);
  },
  'chooses the opening hours': async ({ page, shop, words }) => {
    for (const day of words.shop.days.slice(0, 5))
      await page.getByLabel(day, { exact: true }).check();
    await page.getByLabel(words.frame.language, { exact: true }).last().selectOption(shop.lang);
    await page.getByRole('button', { name: words.saveChanges }).first().click();
    await page.getByText(words.shop.saved).waitFor();
  },
  'writes the front page': async ({ page, shop, words }) => {
    await page.getByLabel(words.settings.subtitle, { exact: true }).fill(shop.subtitle);
    await page.getByRole('button', { name: words.saveChanges }).last().click();
    await page.getByText(words.settings.saved).waitFor();
  },
  'adds a product with a picture': async ({ page, shop, words }) => {
    await addProduct({ page, shop, words }, 0);
  },
  'adds another one and moves it up': async ({ page, shop, words }) => {
    await addProduct({ page, shop, words }, 1);
    await page.getByRole('button', { name: words.products.up(shop.products[1]) }).click();
    await page.getByText(words.products.moved(shop.products[1], 1, 2)).waitFor();
  },
  'counts the pieces': async ({ page, shop, words }) => {
    const change = words.stock.change(words.stock.uncounted, shop.products[0]);
    await page.getByRole('button', { name: change }).click();
    await page.getByLabel(words.stock.field(shop.products[0])).fill('5');
    await page.keyboard.press('Enter');
    await page.getByText(words.stock.stored(shop.products[0])).waitFor();
  },
  'publishes news': async ({ page, shop, words }) => {
    await page.locator('.tabs').getByRole('link', { name: words.frame.announcements }).click();
    await page.getByRole('link', { name: words.news.add }).click();
    await page.getByLabel(words.news.title, { exact: true }).fill(shop.news);
    await page.locator('form button[type=submit]').click();
    await page.getByText(words.news.shown(shop.news)).waitFor();
  },
  'deletes a product and restores it on another day': async ({ page, shop, words }) => {
    await page.locator('.tabs').getByRole('link', { name: words.frame.products }).click();
    await page.getByRole('button', { name: words.products.remove(shop.products[1]) }).click();
    await page.getByRole('button', { name: words.delete, exact: true }).click();
    await page.getByText(words.deletion.deleted(shop.products[1])).waitFor();
    // A tab that is opened later does not have the session storage of this one.
    await page.evaluate('sessionStorage.clear()');
    await page.reload();
    await page.getByText(words.deletion.recent(1)).click();
    await page.getByRole('button', { name: words.deletion.restore(shop.products[1]) }).click();
    await page.getByText(words.deletion.restored(shop.products[1])).waitFor();
  },
  'sees that sales are closed, and then open': async ({ page, words }) => {
    await page.locator('.tabs').getByRole('link', { name: words.frame.orders }).click();
    await page.getByText(words.sales.closed).waitFor();
    await (await createGatewayClient(server.gateway)).signIn('77011234567');
    await page.reload();
    await page.locator('.sales[data-state="open"]').waitFor();
  },
  'receives the first order': async ({ page, shop, words }) => {
    await page.evaluate(`fetch('/api/orders', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ productId: 1 }),
    })`);
    await page.getByText(shop.products[0], { exact: true }).waitFor();
    await page.getByText(words.orders.statuses.paid, { exact: true }).last().waitFor();
  },
  'enters the token of the operator and adds a colleague': async ({ page, shop, words }) => {
    const [owner, colleague] = shop.people;
    const { stdout } = await runCli([
      ...['admins', 'add', owner, '--role', 'owner', '--data', server.data, '--json'],
    ]);
    await page.locator('.tabs').getByRole('link', { name: words.frame.team }).click();
    await page.getByRole('textbox', { name: words.token.label }).fill(JSON.parse(stdout).token);
    await page.getByRole('button', { name: words.token.next }).click();
    await page.getByText(owner, { exact: true }).waitFor();
    await page.getByLabel(words.team.name, { exact: true }).fill(colleague);
    await page.getByLabel(words.team.role, { exact: true }).selectOption('orders');
    await page.getByRole('button', { name: words.team.add, exact: true }).click();
    await page.getByRole('textbox', { name: words.team.tokenLabel }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText(colleague, { exact: true }).waitFor();
  },
};

async function addProduct({ page, shop, words }: Task, index: 0 | 1): Promise<void> {
  await page.locator('.tabs').getByRole('link', { name: words.frame.products }).click();
  await page.getByRole('link', { name: words.products.add }).click();
  const name = shop.products[index];
  await page.getByLabel(words.product.name, { exact: true }).fill(name);
  await page.getByLabel(words.product.price, { exact: true }).fill('1850');
  await page.getByLabel(words.products.category, { exact: true }).fill(shop.category);
  await page.getByRole('button', { name: words.picture.choose }).waitFor();
  const buffer = await pictureOf(index * 200);
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: '1.png', mimeType: 'image/png', buffer });
  await page.getByText(words.picture.stored).waitFor();
  await page.locator('form button[type=submit]').click();
  await page.getByText(words.product.onSite(name)).waitFor();
}
