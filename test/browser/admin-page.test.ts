import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { demoContent } from '../../src/site/demo.js';
import { launchBrowser, openPage, type WatchedPage } from '../helpers/browser.js';
import { startTestServer, type TestServer } from '../helpers/test-server.js';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

let server: TestServer;
let opened: WatchedPage;
let page: Page;

const open = async (hash = '', options = {}) => {
  opened = await openPage(browser, `${server.site}/admin.html${hash}`, {
    expected: /Failed to load resource/,
    ...options,
  });
  page = opened.page;
};

afterEach(async () => {
  await opened?.page.context().close();
  await server?.close();
});

const demoNames = demoContent.products.map(({ name }) => name);

describe('the product list', () => {
  beforeEach(async () => {
    server = await startTestServer({ demo: true, only: 'site' });
    await open();
    await rowNames().first().waitFor();
  });

  it('shows the catalogue in its order, without a single complaint', async () => {
    await expect.poll(() => rowNames().allTextContents()).toEqual(demoNames);
    expect(opened.problems).toEqual([]);
  });

  it('moves a product by its buttons and keeps the focus on them', async () => {
    const down = page.getByRole('button', { name: 'Move Tandyr sourdough down' });
    await down.focus();
    for (const position of [1, 2]) {
      await page.keyboard.press('Enter');
      await expect.poll(() => rowNames().nth(position).textContent()).toBe('Tandyr sourdough');
    }
    await expect
      .poll(() => page.evaluate('document.activeElement.ariaLabel'))
      .toBe('Move Tandyr sourdough down');
    await page.getByText('Tandyr sourdough is now 3 of 9.').waitFor({ state: 'attached' });
    await expect
      .poll(storedNames)
      .toEqual([...demoNames.slice(1, 3), ...demoNames.slice(0, 1), ...demoNames.slice(3)]);
  });

  it('moves a product with Alt and the arrow keys', async () => {
    await page.getByRole('link', { name: 'Linen table runner' }).focus();
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(async () => (await storedNames()).at(-1)).toBe('Stoneware piala');
    await expect
      .poll(() => page.evaluate('document.activeElement.textContent'))
      .toBe('Linen table runner');
  });

  it('moves a product by dragging', async () => {
    await page
      .locator('.row', { hasText: 'Cold brew' })
      .locator('.grip')
      .dragTo(page.locator('.row').first());
    await expect.poll(async () => (await storedNames())[0]).toBe('Cold brew');
    await expect.poll(() => rowNames().first().textContent()).toBe('Cold brew');
  });

  it('puts the order right again when a move cannot be stored', async () => {
    await page.route('**/api/admin/products/*', (route) => route.abort());
    await page.getByRole('button', { name: 'Move Cold brew up' }).click();
    await page.getByText('The new order was not stored.').waitFor();
    await expect.poll(() => rowNames().allTextContents()).toEqual(demoNames);
  });

  it('deletes after a question and brings the product back where it stood', async () => {
    const [before] = (await stored('products')).filter(({ name }) => name === 'Cold brew');
    await page.getByRole('button', { name: 'Delete Cold brew' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Delete “Cold brew”?' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('“Cold brew” was deleted.').waitFor();
    await expect.poll(() => storedNames()).not.toContain('Cold brew');
    await page.keyboard.press('Enter');
    await page.getByText('“Cold brew” is back.').waitFor();
    await expect.poll(storedNames).toEqual(demoNames);
    const [after] = (await stored('products')).filter(({ name }) => name === 'Cold brew');
    expect(after).toEqual({ ...before, id: 10 });
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Cold brew');
    expect(opened.problems).toEqual([]);
  });

  it('undoes a deletion from another view, and shows it in the list that is then open', async () => {
    await page.getByRole('button', { name: 'Delete Cold brew' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('“Cold brew” was deleted.').waitFor();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.getByRole('link', { name: 'Products' }).click();
    await expect.poll(() => rowNames().count()).toBe(8);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => rowNames().allTextContents()).toEqual(demoNames);
  });

  it('drops the question when the page it is about is left', async () => {
    await page.getByRole('link', { name: 'Cold brew' }).click();
    await page.getByRole('link', { name: 'All products' }).click();
    await page.getByRole('button', { name: 'Delete Cold brew' }).click();
    await page.getByRole('dialog').waitFor();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await expect.poll(() => storedNames()).toEqual(demoNames);
  });

  it('deletes nothing when the question is answered with Escape', async () => {
    await page.getByRole('button', { name: 'Delete Cold brew' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await expect.poll(() => storedNames()).toEqual(demoNames);
    await expect
      .poll(() => page.evaluate('document.activeElement.ariaLabel'))
      .toBe('Delete Cold brew');
  });

  it('says so when the server refuses a deletion, and keeps the product', async () => {
    await page.route('**/api/admin/products/*', (route) =>
      route.fulfill({
        status: 503,
        json: { ok: false, error: 'Full.', code: 'storage_unavailable' },
      }),
    );
    await page.getByRole('button', { name: 'Delete Cold brew' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('“Cold brew” was not deleted.').waitFor();
    await expect.poll(() => rowNames().allTextContents()).toEqual(demoNames);
  });

  it('finds products by name and category', async () => {
    await page.getByRole('searchbox', { name: 'Find a product' }).fill('pantry');
    await expect
      .poll(() => rowNames().allTextContents())
      .toEqual(['Mountain apricot jam', 'Tien Shan herb tea']);
    await expect.poll(() => page.getByRole('button', { name: /^Move/ }).count()).toBe(0);
  });
});

describe('the product editor', () => {
  beforeEach(async () => {
    server = await startTestServer({ demo: true, only: 'site' });
  });

  it('adds a product by keyboard alone and returns to its row', async () => {
    await open('#products/new');
    await page.getByLabel('Name').focus();
    const keys = [
      'Samsa',
      'Tab',
      'With pumpkin',
      'Tab',
      '1 450,50',
      'Tab',
      'Bakery',
      'Tab',
      '/demo/piala.svg',
      'Tab',
      'Hot.\nVery hot.',
      'Tab',
    ];
    for (const key of keys) {
      if (key === 'Tab') await page.keyboard.press('Tab');
      else await page.keyboard.insertText(key);
    }
    await page.keyboard.press('Enter');
    await page.keyboard.insertText('One');
    await page.keyboard.press('Enter');
    await page.keyboard.insertText('Two');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Backspace');
    await page.getByRole('button', { name: 'Add product' }).press('Enter');
    await page.getByText('“Samsa” is on the site.').waitFor();
    expect((await stored('products')).at(-1)).toEqual({
      id: 10,
      order: 10,
      name: 'Samsa',
      tagline: 'With pumpkin',
      price: 1450.5,
      category: 'Bakery',
      image: '/demo/piala.svg',
      description: 'Hot.\nVery hot.',
      features: ['One', 'Two'],
    });
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Samsa');
    expect(opened.problems).toEqual([]);
  });

  it('sends only what was changed', async () => {
    await open('#products/3');
    const bodies: unknown[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT') bodies.push(request.postDataJSON());
    });
    await page.getByLabel('Price').fill('3 700');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('“Apricot and walnut galette” is saved.').waitFor();
    expect(bodies).toEqual([{ price: 3700 }]);
  });

  it('shows the service’s messages at their fields and moves the focus to the first', async () => {
    await open('#products/3');
    await page.getByLabel('Feature 2', { exact: true }).fill('x'.repeat(501));
    await page.getByLabel('Price').fill('-1');
    await page.getByLabel('Picture address').fill('javascript:alert(1)');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('3 fields need your attention.').waitFor();
    for (const label of ['Price, ₸', 'Picture address', 'Feature 2']) {
      const field = page.getByLabel(label, { exact: true });
      expect(await field.getAttribute('aria-invalid'), label).toBe('true');
      expect(await describedBy(label), label).toMatch(/must/i);
    }
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('price');
    await page.getByLabel('Price').fill('1');
    await page.getByLabel('Picture address').fill('');
    await page.getByLabel('Feature 2', { exact: true }).fill('short');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('is saved.').waitFor();
  });

  it('tells a price that is no number before anything is sent', async () => {
    await open('#products/3');
    await page.getByLabel('Price').fill('cheap');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect.poll(() => describedBy('Price, ₸')).toContain('Enter a number');
  });

  it('keeps what was typed when the server cannot store it, and stores it on the next try', async () => {
    await open('#products/3');
    await page.route('**/api/admin/products/3', (route) =>
      route.fulfill({
        status: 503,
        json: { ok: false, error: 'Full.', code: 'storage_unavailable' },
      }),
    );
    await page.getByLabel('Name').fill('Galette');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('cannot store anything at the moment').waitFor();
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Galette');
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('“Galette” is saved.').waitFor();
  });

  it('previews the picture, and says when it does not load', async () => {
    await open('#products/3');
    const preview = page.getByRole('complementary', { name: 'Preview' });
    await expect
      .poll(() => preview.locator('img').getAttribute('src'))
      .toContain('/demo/galette.svg');
    await page.getByLabel('Picture address').fill('/demo/none.svg');
    await preview.getByText('The picture does not load').waitFor();
    await expect.poll(() => preview.locator('.monogram').textContent()).toBe('A');
  });

  it('asks before unsaved changes are left, in the page and at its border', async () => {
    await open('#products/3');
    await page.getByLabel('Name').fill('Changed');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Changed');
    expect(new URL(page.url()).hash).toBe('#products/3');
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => asked).toEqual(['beforeunload']);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    expect((await stored('products'))[2]?.name).toBe('Apricot and walnut galette');
  });

  it('leaves without a question when nothing was changed', async () => {
    await open('#products/3');
    await page.getByLabel('Name').fill('Changed');
    await page.getByLabel('Name').fill('Apricot and walnut galette');
    await page.getByRole('link', { name: 'All products' }).click();
    await rowNames().first().waitFor();
  });

  it('says so when the product is gone', async () => {
    await open('#products/77');
    await page.getByText('This product does not exist').waitFor();
  });

  it('shows hostile content as text in every place', async () => {
    const attack = '"><img src=x onerror="document.title=1"><script>document.title=1</script>';
    await send('POST', '/api/admin/products', {
      name: attack,
      tagline: attack,
      description: attack,
      category: attack,
      features: [attack],
    });
    await send('POST', '/api/admin/announcements', { title: attack, content: attack });
    await send('PUT', '/api/admin/settings', { heroTitle: attack, heroSubtitle: attack });
    await open('#products');
    for (const hash of [
      '#products',
      '#products/10',
      '#announcements',
      '#announcements/5',
      '#settings',
    ]) {
      await page.evaluate(`location.hash = '${hash}'`);
      await page.locator('main [aria-busy="false"]').first().waitFor();
      const strangers = 'document.querySelectorAll("body script, img[onerror]").length';
      expect(await page.evaluate(strangers), hash).toBe(0);
    }
    await page.evaluate("location.hash = '#products'");
    await page.getByRole('button', { name: `Delete ${attack}` }).click();
    await page.getByRole('dialog', { name: `Delete “${attack}”?` }).waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText(`“${attack}” was deleted.`).waitFor();
    await expect.poll(() => page.title()).toBe('Products – Site admin');
    expect(opened.problems).toEqual([]);
  });
});

describe('announcements', () => {
  beforeEach(async () => {
    server = await startTestServer({ demo: true, only: 'site' });
  });

  it('are hidden and shown by a switch', async () => {
    await open('#announcements');
    const toggle = page.getByRole('switch', { name: 'Show “Winter hours” on the site' });
    await toggle.focus();
    await page.keyboard.press('Space');
    await page.getByText('“Winter hours” is hidden.').waitFor({ state: 'attached' });
    expect((await stored('announcements')).map(({ title }) => title)).not.toContain('Winter hours');
    await page.keyboard.press('Space');
    await page.getByText('“Winter hours” is on the site.').waitFor({ state: 'attached' });
    expect((await stored('announcements')).map(({ title }) => title)).toContain('Winter hours');
  });

  it('are added, changed and deleted, and a deletion is undone', async () => {
    await open('#announcements/new');
    await page.getByRole('button', { name: 'Add announcement' }).click();
    await page.getByText('One field needs your attention.').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('title');
    await page.getByLabel('Title').fill('Closed on Monday');
    await page.getByLabel('Date').fill('2027-02-01');
    await page.getByRole('button', { name: 'Add announcement' }).click();
    await page.getByText('“Closed on Monday” is on the site.').waitFor();
    await page.getByRole('link', { name: 'Closed on Monday' }).click();
    const preview = page.getByRole('complementary', { name: 'Preview' });
    await expect.poll(() => preview.textContent()).toBe('Preview1 February 2027Closed on Monday');
    await page.getByLabel('Text').fill('We rest.');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('button', { name: 'Delete Closed on Monday' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('“Closed on Monday” is back.').waitFor();
    expect((await stored('announcements'))[0]).toEqual({
      id: 6,
      title: 'Closed on Monday',
      date: '2027-02-01',
      content: 'We rest.',
      active: true,
    });
  });

  it('keep the time of their date when only the text is changed', async () => {
    await send('PUT', '/api/admin/announcements/2', { date: '2026-11-01T09:30:00Z' });
    await open('#announcements/2');
    await expect.poll(() => page.getByLabel('Date').inputValue()).toBe('2026-11-01');
    await page.getByLabel('Text').fill('Other hours.');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('“Winter hours” is on the site.').waitFor();
    const [changed] = (await stored('announcements')).filter(({ id }) => id === 2);
    expect(changed).toMatchObject({ content: 'Other hours.', date: '2026-11-01T09:30:00Z' });
  });
});

describe('the settings', () => {
  it('are previewed while they are typed, and stored', async () => {
    server = await startTestServer({ demo: true, only: 'site' });
    await open('#settings');
    const preview = page.getByRole('complementary', { name: 'Preview' });
    await page.getByLabel('Title', { exact: true }).fill('Kök Nan');
    await page.getByRole('radio', { name: 'Dark' }).check();
    await expect.poll(() => preview.locator('.preview-title').textContent()).toBe('Kök Nan');
    await expect
      .poll(() => preview.locator('[data-theme]').getAttribute('data-theme'))
      .toBe('dark');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('The settings are saved').waitFor();
    const answer = await (await fetch(`${server.site}/api/settings`)).json();
    expect(answer).toMatchObject({ data: { heroTitle: 'Kök Nan', theme: 'dark' } });
  });
});

describe('with an admin token', () => {
  beforeEach(async () => {
    server = await startTestServer({
      demo: true,
      only: 'site',
      env: { MSGSITE_ADMIN_TOKEN: 'open-sesame-1234' },
    });
    await open('#announcements');
  });

  const giveToken = async (token: string) => {
    await page.getByRole('textbox', { name: 'Admin token' }).fill(token);
    await page.keyboard.press('Enter');
  };

  it('asks for it, refuses a wrong one, and goes on with the right one', async () => {
    await giveToken('wörng');
    await page.getByText('This token was not accepted.').waitFor();
    await giveToken('wrong');
    await page.getByText('This token was not accepted.').waitFor();
    await giveToken('open-sesame-1234');
    await page.getByRole('link', { name: 'Winter hours' }).waitFor();
    await page.getByRole('switch', { name: 'Show “Winter hours” on the site' }).click();
    await page.getByText('“Winter hours” is hidden.').waitFor({ state: 'attached' });
    expect(page.url()).not.toContain('sesame');
    await expect
      .poll(() => page.evaluate('JSON.stringify(localStorage) + document.cookie'))
      .not.toContain('sesame');
    await page.reload();
    await page.getByRole('link', { name: 'Winter hours' }).waitFor();
    await expect.poll(() => page.getByRole('dialog').isVisible()).toBe(false);
  });

  it('asks again after it was forgotten, without losing what was typed', async () => {
    await giveToken('open-sesame-1234');
    await page.getByRole('link', { name: 'Winter hours' }).click();
    await page.getByLabel('Text').fill('Other hours.');
    await page.getByRole('button', { name: 'Forget token' }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await giveToken('open-sesame-1234');
    await page.getByText('“Winter hours” is on the site.').waitFor();
    expect((await stored('announcements')).map(({ content }) => content)).toContain('Other hours.');
  });

  it('takes a no for every call that was under way', async () => {
    await page.context().close();
    opened = await openPage(browser, 'about:blank');
    page = opened.page;
    const held: (() => Promise<void>)[] = [];
    await page.route('**/api/admin/announcements', (route) =>
      held.push(() => route.continue()) === 1 ? route.continue() : undefined,
    );
    await page.goto(`${server.site}/admin.html#announcements`);
    // Both calls are under way before the answer to the question is given.
    await expect.poll(() => held.length).toBe(2);
    await page.getByRole('button', { name: 'Not now' }).click();
    await held[1]?.();
    await page.getByText('The announcements could not be loaded').waitFor();
    await expect.poll(() => page.getByRole('dialog').isVisible()).toBe(false);
  });

  it('says what is missing when the question is left unanswered, and asks on a retry', async () => {
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.getByText('The announcements could not be loaded').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await giveToken('open-sesame-1234');
    await page.getByRole('link', { name: 'Winter hours' }).waitFor();
  });
});

function rowNames() {
  return page.locator('.row-name');
}

interface StoredItem {
  readonly id: number;
  readonly name?: string;
  readonly title?: string;
  readonly content?: string;
}

async function stored(kind: 'products' | 'announcements'): Promise<StoredItem[]> {
  const answer = await (await fetch(`${server.site}/api/${kind}`)).json();
  return (answer as { data: StoredItem[] }).data;
}

async function storedNames(): Promise<(string | undefined)[]> {
  return (await stored('products')).map(({ name }) => name);
}

async function send(method: string, path: string, body: unknown): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(server.site + path, { method, headers, body: JSON.stringify(body) });
  expect(answer.ok, `${method} ${path}`).toBe(true);
}

/** All the text that a screen reader reads after a field's name. */
async function describedBy(label: string): Promise<string> {
  const ids = await page.getByLabel(label, { exact: true }).getAttribute('aria-describedby');
  const texts = (ids ?? '').split(' ').map((id) => page.locator(`[id="${id}"]`).textContent());
  return (await Promise.all(texts)).join(' ');
}
