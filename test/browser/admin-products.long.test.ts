import { describe, expect, it } from 'vitest';
import { demoContent } from '../../src/site/demo.js';
import { focused, lookAround, type Stored, sitAtDesk } from './admin-desk.js';

const desk = sitAtDesk();
const demoNames = demoContent.products.map(({ name }) => name);

const rowNames = () => desk.page.locator('.row-name');
const names = () => rowNames().allTextContents();
const stored = async () => (await desk.send('GET', '/api/products')).data as Stored[];
const storedNames = async () => (await stored()).map(({ name }) => name);

/** Opens the list and waits until it is loaded. */
async function open(hash = '') {
  const page = await desk.open(hash);
  await rowNames().first().waitFor();
  return page;
}

describe('the product list', () => {
  it('shows the catalogue in order, without errors or axe violations', async () => {
    const page = await open();
    await expect.poll(names).toEqual(demoNames);
    await lookAround(page, 320, 'dark');
    expect(desk.problems).toEqual([]);
  });

  it('moves a product with its buttons or with Alt and the arrow keys, and keeps the focus on it', async () => {
    const page = await open();
    const down = page.getByRole('button', { name: 'Move Tandyr sourdough down' });
    await down.focus();
    for (const position of [1, 2]) {
      await page.keyboard.press('Enter');
      await expect.poll(() => rowNames().nth(position).textContent()).toBe('Tandyr sourdough');
    }
    await expect.poll(() => focused(page)).toBe('Move Tandyr sourdough down');
    await page.getByText('Tandyr sourdough is now 3 of 9.').waitFor({ state: 'attached' });
    await expect
      .poll(storedNames)
      .toEqual([...demoNames.slice(1, 3), ...demoNames.slice(0, 1), ...demoNames.slice(3)]);
    await page.getByRole('link', { name: 'Linen table runner' }).focus();
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(async () => (await storedNames()).at(-1)).toBe('Stoneware piala');
    await expect.poll(() => focused(page)).toBe('Linen table runner');
  });

  it('moves a product by dragging or by entering a position', async () => {
    const page = await open();
    await page
      .locator('.row', { hasText: 'Cold brew' })
      .locator('.grip')
      .dragTo(page.locator('.row').first());
    await expect.poll(async () => (await storedNames())[0]).toBe('Cold brew');
    await expect.poll(() => rowNames().first().textContent()).toBe('Cold brew');
    await page.getByRole('button', { name: '1 of 9: move Cold brew elsewhere' }).click();
    const position = page.getByLabel('Position, 1 to 9');
    await position.fill('12');
    await page.keyboard.press('Enter');
    await page.getByText('Enter a number from 1 to 9.').waitFor();
    await position.fill('9');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await storedNames()).at(-1)).toBe('Cold brew');
    await expect.poll(() => focused(page)).toBe('9 of 9: move Cold brew elsewhere');
  });

  it('restores the order if a move cannot be stored or a different person has moved the product', async () => {
    const page = await open();
    await page.route('**/api/admin/products/*', (route) => route.abort());
    await page.getByRole('button', { name: 'Move Cold brew up' }).click();
    await page.getByText('The new order was not saved.').waitFor();
    await expect.poll(names).toEqual(demoNames);
    await page.unrouteAll();
    await desk.send('PUT', '/api/admin/products/5', { order: 0 });
    await page.getByRole('button', { name: 'Move Cold brew down' }).click();
    await page.getByText('Someone else has changed this').waitFor();
    await expect.poll(async () => (await names())[0]).toBe('Cold brew');
  });

  it('deletes after confirmation and restores the same product at its previous position', async () => {
    const page = await open();
    const before = await stored();
    await page.getByRole('button', { name: 'Delete Cold brew' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Delete “Cold brew”?' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('“Cold brew” was deleted.').waitFor();
    await expect.poll(storedNames).not.toContain('Cold brew');
    await page.keyboard.press('Enter');
    await page.getByText('“Cold brew” is back.').waitFor();
    expect(await stored()).toEqual(before);
    await expect.poll(() => focused(page)).toBe('Cold brew');
    expect(desk.problems).toEqual([]);
  });

  it('undoes a deletion from a different view, and later from the recently deleted products', async () => {
    const page = await open();
    const remove = async () => {
      await page.getByRole('button', { name: 'Delete Cold brew' }).click();
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByText('“Cold brew” was deleted.').waitFor();
    };
    await remove();
    await page.getByRole('link', { name: 'Shop' }).click();
    await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
    await page.getByRole('link', { name: 'Products' }).click();
    await expect.poll(() => rowNames().count()).toBe(8);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(names).toEqual(demoNames);
    await remove();
    await page.reload();
    await page.getByText('Recently deleted (1)').click();
    await page.getByRole('button', { name: 'Restore Cold brew' }).click();
    await expect.poll(names).toEqual(demoNames);
    expect(await page.getByText('Recently deleted').isVisible()).toBe(false);
  });

  it('deletes nothing if the confirmation is cancelled with Escape or by leaving the page', async () => {
    const page = await open();
    await page.getByRole('link', { name: 'Cold brew' }).click();
    await page.getByRole('link', { name: 'All products' }).click();
    await page.getByRole('button', { name: 'Delete Cold brew' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await expect.poll(() => focused(page)).toBe('Delete Cold brew');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await expect.poll(storedNames).toEqual(demoNames);
  });

  it('reports a failed deletion and keeps the product', async () => {
    const page = await open();
    await page.route('**/api/admin/products/*', (route) =>
      route.fulfill({
        status: 503,
        json: { ok: false, error: 'Full.', code: 'storage_unavailable' },
      }),
    );
    await page.getByRole('button', { name: 'Delete Cold brew' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('“Cold brew” was not deleted.').waitFor();
    await expect.poll(names).toEqual(demoNames);
  });

  it('searches, filters and sorts, and shows this state in the headers and in the address', async () => {
    const page = await open();
    const search = page.getByRole('searchbox', { name: 'Find a product' });
    await search.fill('РANTRY'.replace('Р', 'P'));
    await expect.poll(names).toEqual(['Mountain apricot jam', 'Tien Shan herb tea']);
    await expect.poll(() => page.getByRole('button', { name: /^Move/ }).count()).toBe(0);
    await search.fill('');
    await page.getByLabel('Category').selectOption('Coffee');
    await expect.poll(names).toEqual(['Steppe espresso beans', 'Cold brew']);
    await page.getByLabel('Category').selectOption('');
    const price = page.getByRole('button', { name: 'Price' });
    await price.press('Enter');
    await expect.poll(async () => (await names())[0]).toBe('Baursak, a dozen');
    await expect.poll(() => focused(page)).toBe('Price');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await names())[0]).toBe('Linen table runner');
    const sorted = page.locator('th[aria-sort]');
    expect(await sorted.getAttribute('aria-sort')).toBe('descending');
    expect(await sorted.textContent()).toBe('Price');
    expect(page.url()).toContain('#products?sort=-price');
    await page.reload();
    await expect.poll(async () => (await names())[0]).toBe('Linen table runner');
    await search.fill('samovar');
    await page.getByRole('button', { name: 'Show all products' }).click();
    await expect.poll(async () => (await names()).length).toBe(9);
    await expect.poll(() => focused(page)).toBe('Find a product');
  });
});
