import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderScreen } from '../../src/screens/render/render-screen.js';
import { closePages, openBrowser } from '../helpers/browser.js';
import { openScreen } from './open-screen.js';
import { queue } from './samples.js';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(closePages);

const { product, table } = queue;

describe('the search field', () => {
  it.each([832, 1024, 1280])(
    'is 176 px wide if it is compact, in a window of %i px',
    async (width) => {
      const { page } = await openScreen(
        browser,
        { ...queue, search: { compact: true } },
        { viewport: { width, height: 800 } },
      );
      await expect
        .poll(async () => (await page.locator('form.search').boundingBox())?.width)
        .toBe(176);
    },
  );

  it('keeps its shortcut without the badge if it is compact', async () => {
    const { page } = await openScreen(browser, { ...queue, search: { compact: true } });
    await expect.poll(() => page.locator('.search kbd').count()).toBe(0);
    await page.keyboard.press('Control+KeyK');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('search');
  });
});

describe('a date range', () => {
  it('can be selected in the chart even if the list is in the registry', async () => {
    const chart = { title: 'By day', bucket: 'day', dateKey: 'due' };
    const { page } = await openScreen(browser, { ...queue, archetype: 'dashboard', chart });
    await page.locator('#chart').getByRole('button', { name: '7 days' }).click();
    await expect.poll(() => page.locator('#chart-plot tbody tr').count()).toBe(7);
    await page.locator('.nav-item', { hasText: 'Registry' }).click();
    await expect
      .poll(() => page.locator('#list [data-range="7"]').getAttribute('aria-pressed'))
      .toBe('true');
    await expect.poll(() => page.locator('#list tbody tr').count()).toBe(2);
  });
});

describe('a chart of statuses', () => {
  it('has a bar for a status without rows, which a decision fills', async () => {
    const rows = table.rows.filter(({ status }) => status === 'new');
    const { page } = await openScreen(browser, { ...queue, table: { ...table, rows } });
    const counts = page.locator('#chart-plot td');
    await expect.poll(() => counts.allTextContents()).toEqual(['4', '0', '0']);
    await page.locator('#scenario [data-act="reject"]').click();
    await expect.poll(() => counts.allTextContents()).toEqual(['3', '0', '1']);
  });
});

describe('a created record', () => {
  it('is counted by the chart of its status', async () => {
    const { page } = await openScreen(browser, queue);
    const counts = page.locator('#chart-plot td');
    await expect.poll(() => counts.allTextContents()).toEqual(['4', '1', '1']);
    await page.locator('[data-create]').click();
    await page.locator('#create [data-key="status"]').selectOption('back');
    await page.locator('#create [value="ok"]').click();
    await page.locator('#toast').waitFor();
    await expect.poll(() => counts.allTextContents()).toEqual(['4', '1', '2']);
  });
});

describe('metadata', () => {
  it.each([
    ['product.primary_user', { product: { ...product, primary_user: 'Hidden words' } }],
    ['filterKeys', { product, filterKeys: ['Hidden words'] }],
    [
      'column.source',
      {
        product,
        table: { ...table, columns: [{ key: 'id', label: 'x', source: 'Hidden words' }] },
      },
    ],
  ])('in %s is not on the page', (_name, definition) => {
    expect(renderScreen(definition)).not.toContain('Hidden words');
  });
});

describe('the width of a screen', () => {
  it.each([
    ['text sections only', { sections: [{ title: 'a', body: 'b' }] }, 720],
    ['a section with fields', { sections: [{ title: 'a', fields: [] }] }, 720],
    [
      'a section with a field',
      { sections: [{ title: 'a', fields: [{ label: 'l', value: 'v' }] }] },
      1232,
    ],
    ['text beside a list', { sections: [{ title: 'a' }], table }, 1232],
    ['text with width full', { sections: [{ title: 'a' }], width: 'full' }, 1232],
  ])('depends on the content: %s', async (_name, definition, width) => {
    const { page } = await openScreen(browser, { product, archetype: 'custom', ...definition });
    await expect.poll(async () => (await page.locator('#home').boundingBox())?.width).toBe(width);
  });
});

it('events of a day are sorted by time', () => {
  const event = (time: string) => ({ date: '2026-03-01', time, title: `at ${time}` });
  const calendar = { events: [event('10:00'), event('9:30')] };
  const page = renderScreen({ product, archetype: 'calendar', calendar });
  expect(page).toContain('</span> at 9:30');
  expect(page.indexOf('</span> at 9:30')).toBeLessThan(page.indexOf('</span> at 10:00'));
});

it('the icon strip has a divider for each heading and accessible names for its icons', async () => {
  const viewport = { width: 900, height: 800 };
  const { page } = await openScreen(browser, queue, { viewport });
  const heading = await page.locator('.nav-heading').first().boundingBox();
  expect(heading?.height).toBe(1);
  await expect
    .poll(() => page.getByRole('link', { name: 'Registry', exact: true }).isVisible())
    .toBe(true);
  await expect.poll(async () => (await page.locator('#nav').boundingBox())?.width).toBe(60);
});
