import { expect, it } from 'vitest';
import { type Desk, focused, lookAround, type Stored, sitAtDesk } from './admin-desk.js';

/** Fills the shop with two thousand products, including sixty teas. */
async function fill(desk: Desk) {
  const { data } = await desk.send('GET', '/api/products');
  if ((data as Stored[]).length > 1000) return;
  const lines = Array.from({ length: 1991 }, (_, index) => {
    const isTea = index > 0 && index % 33 === 0;
    const name = `${isTea ? 'Шәй' : 'Thing'} ${index}`;
    return `${name},${1000 + ((index * 37) % 991)},${isTea ? 'Tea' : 'Things'}`;
  });
  const answer = await fetch(`${desk.server.site}/api/admin/products/import`, {
    method: 'POST',
    headers: { 'Content-Type': 'text/csv' },
    body: ['name,price,category', ...lines].join('\n'),
  });
  expect(await answer.json()).toMatchObject({ data: { created: 1991 } });
}

const desk = sitAtDesk({}, fill);
const rowNames = () => desk.page.locator('.row-name');
const names = () => rowNames().allTextContents();
const press = (name: string) => desk.page.getByRole('button', { name, exact: true }).click();
const leftOf = async (wanted: readonly number[]) => {
  const { data } = await desk.send('GET', '/api/admin/stock');
  const stock = data as { productId: number; left: number | null }[];
  return wanted.map((id) => stock.find(({ productId }) => productId === id)?.left);
};

it('the product list has pages for two thousand products, and an edit returns to the same page', async () => {
  const page = await desk.open();
  await rowNames().first().waitFor();
  expect(await rowNames().count()).toBe(50);
  await page.getByRole('button', { name: 'Next' }).press('Enter');
  await expect.poll(async () => (await names())[0]).toBe('Thing 41');
  expect(await focused(page)).toBe('Next');
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('combobox').selectOption('40');
  await expect.poll(async () => (await names()).at(-1)).toBe('Thing 1990');
  await page.getByRole('link', { name: 'Thing 1989' }).click();
  await page.getByLabel('Price').fill('77');
  await page.keyboard.press('Control+s');
  await page.getByText('“Thing 1989” is saved.').waitFor();
  await expect.poll(() => focused(page)).toBe('Thing 1989');
  expect(page.url()).toContain('page=40');
  await page.reload();
  await expect.poll(async () => (await names()).at(-1)).toBe('Thing 1990');
});

it('the product list search ignores similar letters, and sorting covers all pages', async () => {
  const page = await desk.open();
  await page.getByRole('searchbox', { name: 'Find a product' }).fill('ШАЙ 1980');
  await expect.poll(names).toEqual(['Шәй 1980']);
  await page.getByRole('searchbox', { name: 'Find a product' }).fill('');
  await page.getByRole('button', { name: 'Price' }).press('Enter');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await names())[0]).toBe('Linen table runner');
  expect(desk.problems).toEqual([]);
});

it('the stock of a single product is changed in place, and a conflict with a sale is reported', async () => {
  const page = await desk.open('#products?q=thing 1985');
  await press('Not counted: change the stock of Thing 1985');
  const field = page.getByLabel('Left of Thing 1985; empty if not counted');
  await field.fill('some');
  await page.keyboard.press('Enter');
  await page.getByText('Enter a whole number up to 1,000,000').waitFor();
  await field.fill('12');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('12 left: change the stock of Thing 1985');
  const id = Number(await page.locator('.row').getAttribute('data-id'));
  expect(await leftOf([id])).toEqual([12]);
  await desk.send('PUT', `/api/admin/stock/${id}`, { left: 11 });
  await page.keyboard.press('Enter');
  await field.fill('0');
  await page.keyboard.press('Enter');
  await page.getByText('Someone else has changed it in the meantime. Now: 11 left.').waitFor();
  await page.keyboard.press('Enter');
  await press('Sold out: change the stock of Thing 1985');
  await page.keyboard.press('Escape');
  expect(await leftOf([id])).toEqual([0]);
});

it('the stock of many products is changed in one step, failures are reported, and a retry stores them', async () => {
  const page = await desk.open('#products?category=Tea&page=2');
  await page.getByLabel('Select Шәй 1716').click();
  await page.getByLabel('Select Шәй 1815').click({ modifiers: ['Shift'] });
  await page.getByText('4 selected', { exact: true }).waitFor();
  await page.getByLabel('Select all on this page').press('Space');
  await press('Select all 60');
  await page.getByText('60 selected', { exact: true }).waitFor();
  await lookAround(page, 1280, 'light');
  let refused = '';
  await page.route('**/api/admin/stock/*', (route) => {
    if (route.request().method() !== 'PUT' || refused !== '') return route.continue();
    refused = route.request().url().split('/').at(-1) ?? '';
    return route.fulfill({
      status: 503,
      json: { ok: false, error: 'Full.', code: 'storage_unavailable' },
    });
  });
  await page.getByLabel('Left of each').fill('7');
  await page.keyboard.press('Enter');
  await page.getByText('59 of 60 changed; the others stay selected.').waitFor();
  await page.getByText('1 selected', { exact: true }).waitFor();
  await page.getByText(': The server cannot store anything').waitFor();
  expect(await leftOf([Number(refused)])).toEqual([null]);
  await page.unrouteAll();
  await page.getByLabel('Left of each').fill('7');
  await page.keyboard.press('Enter');
  await page.getByText('The stock of one product is changed.').waitFor();
  expect(await leftOf([Number(refused)])).toEqual([7]);
  await page.getByLabel('Availability').selectOption('few');
  await page.getByText('No product matches').waitFor();
  await page.getByLabel('Availability').selectOption('for-sale');
  await page.getByLabel('Select all on this page').check();
  await press('Mark as sold out');
  await page.getByText('The stock of 50 products is changed.').waitFor();
  await page.getByLabel('Availability').selectOption('sold-out');
  await expect.poll(() => rowNames().count()).toBe(50);
});

it('a stock change of many products can be stopped, and the remaining products stay selected', async () => {
  const page = await desk.open('#products?category=Things');
  await page.getByLabel('Select all on this page').check();
  let seen = 0;
  await page.route('**/api/admin/stock/*', async (route) => {
    seen += 1;
    if (seen === 10) await press('Stop');
    await route.continue();
  });
  await press('Mark as available');
  await page.getByText(/^\d+ of 50 changed; the others stay selected\.$/).waitFor();
  const rest = await page.locator('.row.selected').count();
  expect(rest).toBeGreaterThan(30);
});

it('a CSV import is checked first and lists errors by line, and the export downloads a CSV file', async () => {
  const page = await desk.open('#products?q=Tandyr');
  await press('Import and export');
  const file = page.getByLabel('A CSV file with the same columns');
  const csv = (text: string) => ({
    name: 'new.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`id,name,price\n${text}`),
  });
  await file.setInputFiles(csv('1,Tandyr bread,cheap\n,New bread,100\n9999999,Nothing,1\n'));
  await page.getByText(/^Line 2, price: /).waitFor();
  await page.getByText(/^Line 4, id: /).waitFor();
  expect(await page.getByRole('button', { name: 'Import', exact: true }).isVisible()).toBe(false);
  await lookAround(page, 320, 'dark');
  await file.setInputFiles(csv('1,Tandyr bread,1500\n,New bread,100\n'));
  await page.getByText('new.csv: 1 new, 1 changed.').waitFor();
  expect((await desk.send('GET', '/api/products/1')).data).not.toMatchObject({ price: 1500 });
  const saved = page.waitForEvent('download');
  await press('Save products.csv');
  expect((await saved).suggestedFilename()).toBe('products.csv');
  await press('Import');
  await page.getByText('The products are imported: 1 new, 1 changed.').waitFor();
  await page.getByRole('link', { name: 'Tandyr bread' }).waitFor();
});
