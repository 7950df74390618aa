import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closePages, openBrowser } from '../helpers/browser.js';
import { openScreen } from './open-screen.js';
import { queue } from './samples.js';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(closePages);

const ids = (page: Page): Promise<string[]> => page.locator('tbody .open').allTextContents();

describe('search', () => {
  it('filters the table and shows the number of matching records', async () => {
    const { page, problems } = await openScreen(browser, queue);
    await page.locator('#search').fill('WHEAT');
    await expect.poll(() => ids(page)).toEqual(['C-10', 'C-8']);
    await expect.poll(() => page.locator('.found').textContent()).toBe('2 records found');
    await page.locator('#search').fill('no such thing');
    await expect.poll(() => ids(page)).toEqual([]);
    await page.getByRole('button', { name: 'Reset' }).click();
    await expect.poll(() => ids(page)).toEqual(['C-10', 'C-9', 'C-8', 'C-7']);
    expect(problems).toEqual([]);
  });

  it('is focused by Ctrl+K on any keyboard layout, and Enter opens the registry', async () => {
    const { page } = await openScreen(browser, { ...queue, archetype: 'dashboard' });
    await page.keyboard.press('Control+KeyK');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('search');
    await page.keyboard.type('rent');
    await page.keyboard.press('Enter');
    await page.locator('#view-1.on').waitFor();
    await expect.poll(() => ids(page)).toEqual(['C-9']);
  });

  it('has no shortcut if the definition disables it', async () => {
    const { page } = await openScreen(browser, { ...queue, search: { shortcut: false } });
    await page.keyboard.press('Control+KeyK');
    await expect.poll(() => page.evaluate('document.activeElement.id')).not.toBe('search');
  });
});

describe('filters', () => {
  it('show the rows of one status in the list and in the chart', async () => {
    const { page } = await openScreen(browser, queue);
    const tab = page.getByRole('button', { name: /^Returned/ });
    await expect.poll(() => tab.textContent()).toBe('Returned1');
    await tab.click();
    await expect.poll(() => tab.getAttribute('aria-pressed')).toBe('true');
    await expect.poll(() => ids(page)).toEqual(['C-7']);
    await expect
      .poll(() => page.locator('#chart-plot tbody td').allTextContents())
      .toEqual(['0', '0', '1']);
  });

  it('count the records that match the search', async () => {
    const { page } = await openScreen(browser, queue);
    await page.locator('#search').fill('wheat');
    await expect
      .poll(() => page.locator('#list .tabs .number').allTextContents())
      .toEqual(['2', '1', '1', '0']);
  });
});

describe('sorting', () => {
  it.each([
    ['Number', ['C-5', 'C-6', 'C-7', 'C-8'], ['C-10', 'C-9', 'C-8', 'C-7']],
    ['Sum', ['C-7', 'C-5', 'C-9', 'C-10'], ['C-8', 'C-10', 'C-9', 'C-5']],
    ['Due', ['C-7', 'C-8', 'C-9', 'C-6'], ['C-10', 'C-6', 'C-9', 'C-8']],
    ['Status', ['C-10', 'C-9', 'C-6', 'C-5'], ['C-7', 'C-8', 'C-10', 'C-9']],
  ])(
    'by %s is ascending, then descending, with rows without a value last',
    async (name, up, down) => {
      const { page } = await openScreen(browser, queue);
      const button = page.getByRole('button', { name, exact: true });
      const head = page.locator('th').filter({ has: button });
      await button.click();
      await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending');
      await expect.poll(() => ids(page)).toEqual(up);
      await button.press('Enter');
      await expect.poll(() => head.getAttribute('aria-sort')).toBe('descending');
      await expect.poll(() => ids(page)).toEqual(down);
      await expect
        .poll(() => page.locator('#status').textContent())
        .toBe(`Sorted by ${name}, descending`);
    },
  );
});

describe('sorting by a column of texts', () => {
  const columns = [
    { key: 'name', label: 'Name', sortable: true },
    { key: 'city', label: 'City', sub: 'street', sortable: true },
  ];
  const rows = [
    { city: 'Oral', street: '1st' },
    { name: 'Wheat' },
    { name: '  ', street: '2nd' },
    { name: 'Barley', city: 'Aqtau' },
  ];
  const screen = { ...queue, table: { columns, rows } };

  it.each([
    ['Name', ['3', '1', '0', '2'], ['1', '3', '0', '2']],
    ['City', ['3', '0', '1', '2'], ['0', '3', '1', '2']],
  ])('keeps rows without a value last in the column %s', async (name, up, down) => {
    const { page } = await openScreen(browser, screen);
    const order = (): Promise<string[]> =>
      page.evaluate(
        "[...document.querySelectorAll('tbody tr[data-row]')].map((row) => row.dataset.row)",
      );
    const button = page.getByRole('button', { name, exact: true });
    await button.click();
    await expect.poll(order).toEqual(up);
    await button.click();
    await expect.poll(order).toEqual(down);
  });

  it('uses the row number for rows without a visible name', async () => {
    const { page } = await openScreen(browser, screen);
    const names = page.locator('#list tbody a.open');
    await expect.poll(() => names.allTextContents()).toEqual(['Row 1', 'Wheat', 'Row 3', 'Barley']);
  });

  it('keeps a new row without a name last, and sorts a new row with a name by its name', async () => {
    const { page } = await openScreen(browser, screen);
    for (const [field, text] of [
      ['City', 'Semey'],
      ['Name', 'Rye'],
    ] as const) {
      await page.locator('[data-create]').first().click();
      await page.locator('#create').getByLabel(field).fill(text);
      await page.locator('#create [value="ok"]').click();
    }
    await page.getByRole('button', { name: 'Name', exact: true }).click();
    const names = page.locator('#list tbody tr:not([hidden]) a.open');
    await expect
      .poll(async () => (await names.allTextContents()).slice(0, 3))
      .toEqual(['Barley', 'Rye', 'Wheat']);
  });
});

describe('sorting on a phone', () => {
  const phone = { viewport: { width: 360, height: 800 } };

  it('offers every sortable column in both directions, and the order of the definition', async () => {
    const { page, problems } = await openScreen(browser, queue, phone);
    const choice = page.getByLabel('Sort by');
    await expect
      .poll(() => choice.locator('option').allTextContents())
      .toEqual([
        'Default order',
        ...['Number', 'Sum', 'Due', 'Status'].flatMap((name) => [
          `${name}, ascending`,
          `${name}, descending`,
        ]),
      ]);
    await choice.selectOption('Sum, descending');
    await expect.poll(() => ids(page)).toEqual(['C-8', 'C-10', 'C-9', 'C-5']);
    await expect
      .poll(() => page.locator('#status').textContent())
      .toBe('Sorted by Sum, descending');
    await choice.selectOption('Default order');
    await expect.poll(() => ids(page)).toEqual(['C-10', 'C-9', 'C-8', 'C-7']);
    expect(problems).toEqual([]);
  });

  it('matches the column headers that a wider window shows', async () => {
    const { page } = await openScreen(browser, queue, phone);
    await page.getByLabel('Sort by').selectOption('Due, ascending');
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect.poll(() => page.getByLabel('Sort by').isVisible()).toBe(false);
    const due = page.locator('th', { hasText: 'Due' });
    await expect.poll(() => due.getAttribute('aria-sort')).toBe('ascending');
    await due.getByRole('button').click();
    await page.setViewportSize(phone.viewport);
    await expect
      .poll(() => page.locator('.sort-by option:checked').textContent())
      .toBe('Due, descending');
  });

  it.each([
    ['ru', 'Сортировка', 'Number, по убыванию'],
    ['kk', 'Сұрыптау', 'Number, кему ретімен'],
  ] as const)('is labelled in %s', async (locale, label, option) => {
    const { page } = await openScreen(browser, queue, { ...phone, render: { locale } });
    const box = await page.getByLabel(label).boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    await expect
      .poll(() => page.getByLabel(label).locator('option').nth(2).textContent())
      .toBe(option);
  });

  it('is not offered without sortable columns', async () => {
    const columns = [{ key: 'id', label: 'Number' }];
    const { page } = await openScreen(
      browser,
      { ...queue, table: { ...queue.table, columns } },
      phone,
    );
    await expect.poll(() => page.locator('.sort-by').count()).toBe(0);
  });
});

describe('paging', () => {
  it('switches pages and is hidden if all rows fit on one page', async () => {
    const { page } = await openScreen(browser, queue);
    await expect.poll(() => page.locator('.pager .shown').textContent()).toBe('1–4 of 6');
    await page.getByRole('button', { name: 'Next' }).first().click();
    await expect.poll(() => ids(page)).toEqual(['C-6', 'C-5']);
    await expect.poll(() => page.locator('[data-page="1"]').isDisabled()).toBe(true);
    await page.locator('#search').fill('c-5');
    await expect.poll(() => page.locator('.pager').isHidden()).toBe(true);
  });
});

describe('date ranges', () => {
  const days = { ...queue, chart: { title: 'By day', bucket: 'day', dateKey: 'due' } };

  it('apply to the chart and the table, and end on the latest date', async () => {
    const { page } = await openScreen(browser, days);
    await expect.poll(() => page.locator('#chart-plot tbody tr').count()).toBe(91);
    await page.getByRole('button', { name: '7 days' }).click();
    await expect.poll(() => ids(page)).toEqual(['C-10', 'C-6']);
    const rows = await page.locator('#chart-plot tbody tr').allTextContents();
    expect(rows).toHaveLength(7);
    expect(rows.at(-1)).toBe('1 Mar11 Mar 2026');
    await page.locator('[data-range="0"]').click();
    await expect.poll(() => page.locator('.found').textContent()).toBe('6 records found');
  });

  it('keep the tooltips of bars up to date', async () => {
    const { page } = await openScreen(browser, days);
    await page.getByRole('button', { name: '7 days' }).click();
    await page.locator('#chart-plot rect.bar').last().hover();
    await expect.poll(() => page.locator('#tip').textContent()).toBe('1 Mar11 Mar 2026');
  });
});

describe('printing', () => {
  it('includes every matching row', async () => {
    const { page } = await openScreen(browser, queue);
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    await expect.poll(() => ids(page)).toHaveLength(6);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    await expect.poll(() => ids(page)).toHaveLength(4);
  });
});

describe('a list without JavaScript', () => {
  it('shows every row and its details, and no controls that require JavaScript', async () => {
    const { page } = await openScreen(browser, queue, {
      javaScriptEnabled: false,
      firstVisit: true,
    });
    await expect.poll(() => ids(page)).toHaveLength(6);
    await expect.poll(() => page.locator('#row-details').isVisible()).toBe(true);
    await page.locator('#row-0 summary').click();
    await expect.poll(() => page.getByText('Penalty is high').isVisible()).toBe(true);
    await expect.poll(() => page.getByText('C-9 and C-8.').count()).toBe(1);
    for (const name of ['Approve contract', 'New contract', 'Ask AI']) {
      await expect.poll(() => page.getByRole('button', { name }).count()).toBe(0);
    }
  });
});
