import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { styles } from '#screen-assets';
import type { Locale } from '../../src/screens/render/format.js';
import { closePages, openBrowser } from '../helpers/browser.js';
import { readCorpus } from './corpus.js';
import { openScreen } from './open-screen.js';
import { queue } from './samples.js';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(closePages);

/** A script that returns the selectors of a style sheet that match elements of the page or its templates. */
const applying = `(text) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  const roots = [document, ...[...document.querySelectorAll('template')].map((part) => part.content)];
  const states = /::?(before|after|backdrop|placeholder(?!-)|hover|focus|disabled)\\b/g;
  const selectors = (rules) => [...rules].flatMap((rule) =>
    rule.selectorText ? rule.selectorText.split(/,(?![^(]*\\))/) : selectors(rule.cssRules ?? []));
  return selectors(sheet.cssRules)
    .map((selector) => selector.replace(states, '').trim())
    .filter((selector) => selector && selector !== ':root' && roots.some((root) => root.querySelector(selector)));
}`;

/** Returns matching selectors of the style sheets that the page does not contain. */
async function missingStyles(page: Page): Promise<Record<string, string[]>> {
  const own = await page.locator('style').textContent();
  const others = Object.entries(styles).filter(
    ([part, text]) => !own?.includes(text) && part !== 'theme',
  );
  const texts = JSON.stringify(others.map(([, text]) => text));
  const missing = await page.evaluate<string[][]>(`${texts}.map(${applying})`);
  return Object.fromEntries(
    others
      .map(([part], index) => [part, missing[index] ?? []] as const)
      .filter(([, selectors]) => selectors.length > 0),
  );
}

/** Returns the widths at which the page is wider than the window, with the difference in CSS pixels. */
async function overflows(page: Page): Promise<Record<number, number>> {
  const found: Record<number, number> = {};
  for (const width of [1280, 900, 600, 320]) {
    await page.setViewportSize({ width, height: 800 });
    const over = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
    if (over !== 0) found[width] = over;
  }
  return found;
}

describe('every definition of the corpus', () => {
  const seen: { name: string; missing: object; wider: object }[] = [];

  beforeAll(async () => {
    for (const { name, definition } of [...readCorpus(), { name: 'sample', definition: queue }]) {
      const { language = 'ru' } = definition.product as { readonly language?: Locale };
      const { page } = await openScreen(browser, definition, { render: { locale: language } });
      seen.push({ name, missing: await missingStyles(page), wider: await overflows(page) });
    }
  });

  it('contains the styles of all its blocks', () => {
    expect(seen.length).toBeGreaterThan(20);
    expect(seen.filter(({ missing }) => Object.keys(missing).length > 0)).toEqual([]);
  });

  it('is no wider than a window of 320, 600, 900 and 1280 px', () => {
    expect(seen.length).toBeGreaterThan(20);
    expect(seen.filter(({ wider }) => Object.keys(wider).length > 0)).toEqual([]);
  });
});

it('a page contains no styles of blocks that it does not show', async () => {
  const { page } = await openScreen(browser, { product: queue.product, conclusion: { text: 'x' } });
  const own = await page.locator('style').textContent();
  for (const part of ['nav', 'list', 'chart', 'scenario', 'metrics', 'chat'] as const) {
    expect(own).not.toContain(styles[part]);
  }
});

/** A script that returns the width that no metric covers, in CSS pixels. */
const uncovered = `(() => {
  const strip = document.querySelector('.kpis').getBoundingClientRect();
  const cells = [...document.querySelectorAll('.kpi')].map((cell) => cell.getBoundingClientRect());
  const rows = Map.groupBy(cells, ({ top }) => Math.round(top));
  return Math.max(...[...rows.values()].map((row) => strip.right - Math.max(...row.map(({ right }) => right))));
})()`;

it.each([1, 2, 3, 4, 5, 6, 7, 8])('a strip of %i metrics fills its rows', async (count) => {
  const kpis = Array.from({ length: count }, (_, index) => ({
    value: `${index + 1} 234`,
    label: 'Среднее время ответа',
  }));
  const { page } = await openScreen(browser, { product: queue.product, kpis });
  for (const width of [360, 480, 600, 768, 900, 1024, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const gap = Number(await page.evaluate(uncovered));
    expect({ width, gap: Math.round(gap) <= 1 }).toEqual({ width, gap: true });
  }
});

const styleOf = (page: Page, selector: string, name: string): Promise<string> =>
  page.evaluate(
    `getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${name}')`,
  );

it('a table aligns numbers to the right with tabular figures, and other cells as the column specifies', async () => {
  const columns = [
    { key: 'id', label: 'Id', align: 'right' },
    { key: 'sum', label: 'Sum', type: 'num' },
    { key: 'rate', label: 'Rate', type: 'num', align: 'left' },
    { key: 'due', label: 'Due', type: 'date' },
  ];
  const rows = [{ id: 'a', sum: 1, rate: 2, due: '2026-01-01' }];
  const { page } = await openScreen(browser, { product: queue.product, table: { columns, rows } });
  for (const tag of ['th', 'td']) {
    const sides = columns.map((_, index) =>
      styleOf(page, `.rows ${tag}:nth-child(${index + 1})`, 'text-align'),
    );
    expect(await Promise.all(sides)).toEqual(['right', 'right', 'left', 'left']);
  }
  await expect
    .poll(() => styleOf(page, '.rows td:nth-child(2)', 'font-variant-numeric'))
    .toBe('tabular-nums');
  await expect
    .poll(() => styleOf(page, '.rows td:nth-child(1)', 'font-variant-numeric'))
    .toBe('normal');
});

it('a chart draws bars in stronger colours than text of the same tone', async () => {
  const points = [
    { label: 'a', value: 1, tone: 'warn' },
    { label: 'b', value: 2 },
  ];
  const charts = [{ type: 'bar', title: 'Bars', points }];
  const analytics = { charts, findings: [{ title: 'x', tone: 'warn' }] };
  const { page } = await openScreen(
    browser,
    { product: queue.product, archetype: 'analytics', analytics },
    { colorScheme: 'light' },
  );
  await expect.poll(() => styleOf(page, '.bar.t-warn', 'fill')).toBe('rgb(221, 125, 28)');
  await expect.poll(() => styleOf(page, '.mark.t-warn', 'color')).toBe('rgb(135, 80, 0)');
});
