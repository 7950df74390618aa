import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closePages, openBrowser } from '../helpers/browser.js';
import { openScreen } from './open-screen.js';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(closePages);

const product = { name: 'Contracts', entity: 'Contract' };
const queue = {
  product,
  table: {
    columns: [
      { key: 'id', label: 'No.' },
      { key: 'partner', label: 'Partner', sub: 'phone' },
      { key: 'sum', label: 'Sum', type: 'num' },
      { key: 'due', label: 'Due', type: 'date' },
    ],
    rows: [
      { id: 'A-1', partner: '«Жұлдыз» ЖШС', phone: '+7 (701) 123-45-67', sum: 33_900_000 },
      { id: 'A-2', partner: 'O’Brien & Straße', sum: 12.5, due: '2026-11-21' },
      { id: 'A-3', partner: 'Ёлка', phone: '8 727 250 00 00', sum: 125, due: '2026-11-22' },
    ],
  },
};

const ids = (page: Page): Promise<string[]> => page.locator('tbody .open').allTextContents();
const search = (page: Page, text: string): Promise<void> => page.locator('#search').fill(text);
const said = (page: Page): Promise<string | null> => page.locator('#status').textContent();
const shown = (page: Page, selector: string): Promise<number> =>
  page.locator(`${selector}:visible`).count();

it.each([
  ['33900000', ['A-1']],
  ['33 900 000', ['A-1']],
  ['33,900', ['A-1']],
  ['жулдыз', ['A-1']],
  ['77011234567', ['A-1']],
  ['12,5', ['A-2']],
  ["o'brien strasse", ['A-2']],
  ['2026-11-21', ['A-2']],
  ['21.11.2026', ['A-2']],
  ['nov brien', ['A-2']],
  ['елка', ['A-3']],
  ['2500000', ['A-3']],
  ['елка 2026-11-21', []],
  ['\u200b', ['A-1', 'A-2', 'A-3']],
] as const)('the search for %j finds %j in the list', async (typed, found) => {
  const { page } = await openScreen(browser, queue, { render: { locale: 'ru' } });
  await search(page, typed === 'nov brien' ? '11.2026 brien' : typed);
  await expect.poll(() => ids(page)).toEqual(found);
  expect(await page.locator('.found').textContent()).toMatch(
    new RegExp(`${found.length} (запис|результат)`),
  );
});

it('the search finds letters by text that only their pane shows in full', async () => {
  const body = `${'Nothing of interest. '.repeat(20)}The keyword is heliotrope.`;
  const { page } = await openScreen(browser, {
    product,
    archetype: 'inbox',
    inbox: { bodyKey: 'body', titleKey: 'id' },
    table: {
      columns: queue.table.columns.slice(0, 1),
      rows: [
        { id: 'A-1', body },
        { id: 'A-2', body: 'Short.' },
      ],
    },
  });
  await search(page, 'HELIOTROPE');
  await expect
    .poll(() => page.locator('[data-rows] .item-title').allTextContents())
    .toEqual(['A-1']);
});

describe('search in views that are not lists', () => {
  const names = ['apple', 'birch', 'cedar', 'doum'];
  const days = ['2026-10-05', '2026-11-21', '2026-11-21', '2026-12-03'];
  const screens: Readonly<Record<string, object>> = {
    timeline: {
      timeline: {
        title: 'Course',
        events: days.map((day, index) => ({
          time: day,
          title: `Event ${names[index]}`,
          text: 'Щётка',
        })),
      },
    },
    calendar: {
      calendar: { events: days.map((date, index) => ({ date, title: `Event ${names[index]}` })) },
    },
    map: {
      map: {
        points: days.map((_, index) => ({ label: `Event ${names[index]}`, x: index * 20, y: 50 })),
      },
    },
    document: {
      document: {
        title: 'Lease',
        fragments: days.map((_, index) => ({
          text: `Event ${names[index]}`,
          flag: `Event ${names[index]}`,
        })),
      },
    },
    custom: {
      sections: days.map((_, index) => ({ title: `Event ${names[index]}`, body: 'Text' })),
    },
    analytics: {
      analytics: {
        charts: [
          {
            type: 'bar',
            title: 'Bars',
            points: [
              { label: 'a', value: 1 },
              { label: 'b', value: 2 },
            ],
          },
        ],
        findings: days.map((_, index) => ({ title: `Event ${names[index]}` })),
      },
    },
  };

  it.each(Object.keys(screens))(
    '%s reports that there are no results, and offers to clear the search',
    async (archetype) => {
      const { page } = await openScreen(browser, { product, archetype, ...screens[archetype] });
      const items = await shown(page, '[data-find]');
      expect(await shown(page, '#nothing-found')).toBe(0);
      await search(page, 'event cedar');
      await expect.poll(() => shown(page, '[data-find]')).toBe(1);
      await expect.poll(() => said(page)).toBe('1 record found');
      await search(page, 'zzzz');
      await expect.poll(() => shown(page, '#nothing-found')).toBe(1);
      await expect.poll(() => said(page)).toMatch(/^No results/);
      // There are no empty headings or cards.
      expect(await page.locator('#home :is(h2, h3, .card):visible').allTextContents()).toEqual([]);
      await page.getByRole('button', { name: 'Reset' }).click();
      await expect.poll(() => shown(page, '[data-find]')).toBe(items);
      expect(await shown(page, '#nothing-found')).toBe(0);
      expect(await page.locator('#search').inputValue()).toBe('');
    },
  );

  it.each([
    ['dashboard', { kpis: [{ value: '12', label: 'Stations' }] }, 'station'],
    [
      'wizard',
      {
        wizard: { steps: ['One', 'Two'].map((title) => ({ title, fields: [{ label: 'Floor' }] })) },
      },
      'floor',
    ],
    ['copilot', { artifact: { title: 'Letter', preview: 'Dear colleagues' } }, 'colleagues'],
    ['queue', {}, 'nothing here'],
  ])('%s hides nothing, and reports whether the text was found', async (archetype, more, typed) => {
    const { page } = await openScreen(browser, { product, archetype, ...more });
    await search(page, 'zzzz');
    await expect.poll(() => shown(page, '#nothing-found')).toBe(1);
    await expect.poll(() => said(page)).toMatch(/^No results/);
    await search(page, typed);
    await expect.poll(() => shown(page, '#nothing-found')).toBe(0);
    await expect.poll(() => said(page)).toBe('');
  });

  it('a calendar search finds days, and switches to the month of the result', async () => {
    const { page } = await openScreen(browser, {
      product,
      archetype: 'calendar',
      ...screens.calendar,
    });
    await expect.poll(() => page.locator('.month.on caption').textContent()).toBe('October 2026');
    await search(page, '21.11.2026');
    await expect.poll(() => page.locator('.month.on caption').textContent()).toBe('November 2026');
    expect(await shown(page, '.agenda-day')).toBe(1);
    expect(await shown(page, '.month .event')).toBe(2);
    await search(page, '2026-11-21 cedar');
    await expect.poll(() => shown(page, '.month .event')).toBe(1);
  });

  it('a map search dims the points that do not match, without moving any points', async () => {
    const { page } = await openScreen(browser, { product, archetype: 'map', ...screens.map });
    await search(page, 'event doum');
    await expect.poll(() => page.locator('.point.unfound').count()).toBe(3);
    expect(await shown(page, '.point')).toBe(4);
  });
});
