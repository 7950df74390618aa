import fc from 'fast-check';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closePages, openBrowser } from '../helpers/browser.js';
import { chartFaults } from './chart-faults.js';
import { anyPoint } from './chart-points.js';
import { openScreen } from './open-screen.js';
import { queue } from './samples.js';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(closePages);

const { product } = queue;
const findings = [{ title: 'x' }];

/** Returns charts with points of any kind and number that a definition may contain. They are the same in every run. */
function anyCharts(): readonly object[] {
  const list = fc.oneof(
    fc.array(anyPoint, { minLength: 2, maxLength: 14 }),
    fc.array(anyPoint, { minLength: 28, maxLength: 32 }),
  );
  const type = fc.constantFrom('bar', 'line', 'donut');
  return fc
    .sample(fc.tuple(type, list), { numRuns: 40, seed: 15 })
    .map(([kind, points], index) => ({ type: kind, title: `Chart ${index}`, unit: 't', points }));
}

describe('charts of any points', () => {
  it.each([320, 390, 768, 1280, 1920])(
    'stay inside their cards without overlapping texts at %d px',
    async (width) => {
      const analytics = { charts: anyCharts(), findings };
      const { page, problems } = await openScreen(
        browser,
        { product, archetype: 'analytics', analytics },
        { viewport: { width, height: 900 } },
      );
      expect(await page.locator('.axis-labels').count()).toBeGreaterThan(10);
      expect(await page.evaluate(chartFaults)).toEqual([]);
      expect(problems).toEqual([]);
    },
  );
});

it('the chart checker detects overlapping texts and texts outside their card', async () => {
  const points = [
    { label: 'first', value: 1 },
    { label: 'last', value: 2 },
  ];
  const analytics = { charts: [{ type: 'bar', title: 'x', points }], findings };
  const { page } = await openScreen(browser, { product, archetype: 'analytics', analytics });
  expect(await page.evaluate(chartFaults)).toEqual([]);
  await page.evaluate(`(() => {
    for (const value of document.querySelectorAll('.point-values text')) {
      for (const at of ['x', 'y']) value.setAttribute(at, '-40');
    }
    for (const label of document.querySelectorAll('foreignObject')) label.setAttribute('x', '0');
  })()`);
  const faults = (await page.evaluate<string[]>(chartFaults)).join('\n');
  expect(faults).toMatch(/“1” overlaps “2”/);
  expect(faults).toMatch(/“first” overlaps “last”/);
  expect(faults).toMatch(/“1” is outside its card/);
});

describe('charts in a row', () => {
  const points = [
    { label: 'a', value: 4 },
    { label: 'b', value: 9 },
  ];
  const long =
    'A title that is as long as titles may be, so that it goes over two lines or more of them';

  const tops = (page: Page, selector: string): Promise<number[]> =>
    page.evaluate(
      `[...document.querySelectorAll('${selector}')].map((part) => Math.round(part.getBoundingClientRect().top))`,
    );

  /** Returns the number of different heights at which the plots and base lines of a row are. */
  async function linesOf(page: Page): Promise<Record<string, number>> {
    const found: Record<string, number> = {};
    for (const part of ['.canvas', '.columns > .zero']) {
      const lines = await tops(page, part);
      expect(lines.length).toBeGreaterThan(1);
      found[part] = new Set(lines).size;
    }
    return found;
  }

  it('of a report have their plots and base lines at the same height', async () => {
    const charts = [
      { type: 'bar', title: 'Short', points },
      { type: 'line', title: long, unit: 't', total: 12, note: 'x', points },
      { type: 'bar', title: 'C', note: long, points },
    ];
    const { page } = await openScreen(browser, {
      product,
      archetype: 'analytics',
      analytics: { charts, findings },
    });
    expect(await linesOf(page)).toEqual({ '.canvas': 1, '.columns > .zero': 1 });
  });

  it('of a dashboard have their plots at the same height, regardless of the metrics above them', async () => {
    const kpis = [
      { value: '1', label: 'One', hint: 'of many', note: 'And a note that says more about it' },
      { value: '2', label: 'Two' },
    ];
    const series = [
      { points },
      { title: long, unit: 't', total: 1, note: 'x', points },
      { kpi: 9, title: 'Own card', points },
    ];
    const { page } = await openScreen(browser, {
      product,
      archetype: 'dashboard',
      kpis,
      dashboard: { series },
    });
    expect(await linesOf(page)).toEqual({ '.canvas': 1, '.columns > .zero': 1 });
  });

  it('of half width have their plots at the same height, and are stacked on a phone', async () => {
    const chart = { type: 'bar', title: 'C', points };
    const sections = [
      { title: 'A', type: 'chart', width: 'half', chart },
      {
        title: 'B',
        description: 'x',
        body: long.repeat(3),
        type: 'chart',
        width: 'half',
        chart: { ...chart, title: long, unit: 't' },
      },
    ];
    const definition = { product, archetype: 'custom', sections };
    const { page } = await openScreen(browser, definition);
    expect(await linesOf(page)).toEqual({ '.canvas': 1, '.columns > .zero': 1 });
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await linesOf(page)).toEqual({ '.canvas': 2, '.columns > .zero': 2 });
    expect(await page.evaluate(chartFaults)).toEqual([]);
  });
});

describe('the numbers behind a chart', () => {
  const hint = { title: 'Note of a', rows: [{ label: 'Of it', value: '3' }] };
  const bars = [
    { label: 'a', value: 4, hint },
    { label: 'b', value: 9 },
  ];

  it('are all printed without JavaScript, even though the table is collapsed on the screen', async () => {
    const { page } = await openScreen(
      browser,
      { product, chart: { title: 'Bars', bars } },
      { javaScriptEnabled: false, firstVisit: true },
    );
    const cells = page.locator('.chart-data td');
    await expect.poll(() => cells.first().isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    for (const cell of await cells.all()) await expect.poll(() => cell.isVisible()).toBe(true);
    await expect.poll(() => cells.allTextContents()).toEqual(['4', 'Note of aOf it: 3', '9', '']);
    await page.emulateMedia({ media: 'screen' });
  });

  it('can be expanded by keyboard, and include hints', async () => {
    const { page } = await openScreen(browser, { product, chart: { title: 'Bars', bars } });
    await page.locator('.chart-data summary').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByText('Of it: 3').isVisible()).toBe(true);
  });
});

describe('a chart that counts rows', () => {
  const many = Array.from({ length: 40 }, (_, index) => ({
    ...queue.table.rows[index % 6],
    id: `C-${index}`,
    kind: ['A kind with a long name', 'B'][index % 2],
  }));
  const table = {
    ...queue.table,
    columns: [...queue.table.columns, { key: 'kind', label: 'Kind' }],
    rows: many,
  };

  it.each([
    ['days', { title: 'By day', unit: 'rows', bucket: 'day', dateKey: 'due' }],
    ['statuses', { title: 'By status', groupBy: 'status' }],
    ['long groups', { title: 'By kind', groupBy: 'kind' }],
  ])('is drawn identically by the script and by the server: %s', async (_name, chart) => {
    const definition = { ...queue, table, chart };
    const plotOf = (page: Page): Promise<string> => page.locator('#chart-plot').innerHTML();
    const still = await openScreen(browser, definition, { javaScriptEnabled: false });
    const server = await plotOf(still.page);
    const { page } = await openScreen(browser, definition);
    await expect.poll(() => plotOf(page)).toBe(server);
  });

  it('adjusts its scale to the filtered rows', async () => {
    const definition = { ...queue, table, chart: { title: 'By status', groupBy: 'status' } };
    const { page } = await openScreen(browser, definition);
    const ticks = page.locator('#chart-plot .scale span');
    await expect.poll(() => ticks.allTextContents()).toEqual(['30', '20', '10', '0']);
    await page.locator('#search').fill('C-19');
    await expect.poll(() => ticks.allTextContents()).toEqual(['3', '2', '1', '0']);
    expect(await page.evaluate(chartFaults)).toEqual([]);
  });
});
