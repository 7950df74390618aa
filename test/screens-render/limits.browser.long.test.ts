import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closePages, openBrowser } from '../helpers/browser.js';
import { openScreen } from './open-screen.js';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(closePages);

const product = { name: 'Lots', entity: 'lot', language: 'ru' };
const monster = 'Rechtsschutzversicherungsgesellschaften'.repeat(4);

async function widthOf(page: Page, selector: string): Promise<number> {
  return (await page.locator(selector).first().boundingBox())?.width ?? 0;
}

/** Returns the number of pixels by which the page is wider than its window. */
function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - innerWidth');
}

it('a card leaves space for the longest title beside the longest badge', async () => {
  const title = 'Согласование дополнительного соглашения с поставщиком зерна!';
  const item = { title, badge: 'Ожидает согласования 24ч', tone: 'risk' };
  const sections = ['full', 'half', 'half'].map((width) => {
    return { title: 'Карточки', type: 'cards', width, items: [item, item] };
  });
  const { page } = await openScreen(browser, { archetype: 'custom', product, sections });
  for (const width of [320, 390, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const titles = page.locator('.cards h3');
    expect(await titles.count()).toBe(6);
    for (const box of await titles.all()) {
      expect((await box.boundingBox())?.width ?? 0).toBeGreaterThan(150);
    }
  }
});

it('a wizard with seven long step titles breaks lines between words only', async () => {
  const steps = Array.from({ length: 7 }, (_, index) => ({
    title: `Согласование дополнительного соглашения с поставщиком № ${index}`,
    fields: [{ label: 'Поле' }],
  }));
  const definition = { archetype: 'wizard', product, wizard: { steps } };
  const { page } = await openScreen(browser, definition);
  for (const width of [320, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await overflow(page)).toBe(0);
    const boxes = await page.locator('.stepper li').all();
    expect(boxes).toHaveLength(7);
    for (const step of boxes) {
      const { width: across = 0, height = 0 } = (await step.boundingBox()) ?? {};
      expect(across).toBeGreaterThan(180);
      expect(height).toBeLessThan(110);
    }
  }
});

it('a table keeps all columns in the window beside a very long word', async () => {
  const columns = [
    { key: 'subject', label: 'Предмет' },
    { key: 'sum', label: 'Сумма', type: 'num' },
    { key: 'due', label: 'Срок', type: 'date' },
  ];
  const rows = [{ subject: monster, sum: 33_900_000, due: '2026-02-03' }];
  const { page } = await openScreen(browser, { product, table: { columns, rows } });
  for (const width of [900, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const last = await page.locator('.rows thead th').last().boundingBox();
    expect((last?.x ?? width) + (last?.width ?? 0)).toBeLessThanOrEqual(width);
  }
});

it('a comparison shows both sources with long links on a phone', async () => {
  const columns = ['name', 'left', 'right'].map((key) => ({ key, label: key }));
  const link = 'https://docs.example.com/archive/2026/procurement/contract-4711.pdf?version=3';
  const rows = [{ name: 'L-1', left: link, right: `${link}&lang=ru` }];
  const compare = { aLabel: 'Договор', bLabel: 'Склад', pairs: [] as object[] };
  compare.pairs.push({ label: 'Документ', a: 'left', b: 'right' });
  const definition = { archetype: 'compare', product, compare, table: { columns, rows } };
  const { page } = await openScreen(browser, definition);
  await page.setViewportSize({ width: 320, height: 800 });
  await page.locator('.master .open').first().click();
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await overflow(page)).toBe(0);
    expect(await widthOf(page, '.pairs')).toBeLessThan(width);
    const cells = page.locator('.pairs tbody td:not(.verdict)');
    expect(await cells.count()).toBe(2);
    for (const cell of await cells.all()) {
      expect((await cell.boundingBox())?.width ?? 0).toBeGreaterThan(80);
    }
  }
});

it('a metric never breaks an ordinary word', async () => {
  const kpis = ['расхождения', 'приостановлено', 'Ауылшаруашылығы', 'согласовано'].map((value) => ({
    value,
    label: 'Найдено за квартал',
  }));
  const { page } = await openScreen(browser, { product, kpis });
  for (const width of [320, 390, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const lines = await page.evaluate<number[]>(`
      [...document.querySelectorAll('.kpi-value, .kpi strong, .kpi dd, .kpi *')]
        .filter((element) => element.children.length === 0 && ${JSON.stringify(kpis.map(({ value }) => value))}.includes(element.textContent.trim()))
        .map((element) => {
          const range = document.createRange();
          range.selectNodeContents(element);
          return new Set([...range.getClientRects()].map(({ top }) => top)).size;
        })`);
    expect(lines).toEqual([1, 1, 1, 1]);
  }
});

it('a text in a different language has its own lang attribute for hyphenation', async () => {
  const definition = { product, conclusion: { text: 'Расхождения по взаимозачётам.' } };
  const { page } = await openScreen(browser, definition, { render: { locale: 'en' } });
  const seen = await page.evaluate(`{
    const text = [...document.querySelectorAll('.conclusion *')].at(-1);
    [text.closest('[lang]').lang, getComputedStyle(text).hyphens];
  }`);
  expect(seen).toEqual(['ru', 'auto']);
});

const places = Array.from({ length: 24 }, (_, index) => ({
  label: `Насосная станция Северо-Восточная № ${index + 1}`,
  x: (index * 37) % 101,
  y: (index * 53) % 101,
  note: 'Давление ниже нормы, бригада выехала в 10:15. '.repeat(4),
}));

it('a map shows a long list of points in columns below the drawing, and a short list beside it', async () => {
  const map = { title: 'Схема', points: places };
  const { page } = await openScreen(browser, { archetype: 'map', product, map });
  const heightOf = async (selector: string): Promise<number> =>
    (await page.locator(selector).boundingBox())?.height ?? 0;
  expect(await heightOf('.map-points')).toBeLessThan(4 * (await heightOf('.map-plot')));
  expect(await widthOf(page, '.map-plot')).toBeGreaterThan(1100);
  const short = { title: 'Схема', points: places.slice(0, 3) };
  const { page: other } = await openScreen(browser, { archetype: 'map', product, map: short });
  expect(await widthOf(other, '.map-plot')).toBeLessThan(900);
  expect((await other.locator('.map-points').boundingBox())?.x).toBeGreaterThan(850);
});
