import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closePages, openBrowser } from '../helpers/browser.js';
import { oneOfEach, readCorpus } from './corpus.js';
import { openScreen } from './open-screen.js';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(closePages);

const sample = (archetype: string): unknown =>
  readCorpus().find((screen) => screen.archetype === archetype)?.definition;

async function open(archetype: string): Promise<Page> {
  const { page } = await openScreen(browser, sample(archetype));
  return page;
}

describe('every archetype', () => {
  it.each(oneOfEach())(
    '$archetype shows all content without JavaScript',
    async ({ definition }) => {
      const { page } = await openScreen(browser, definition, {
        javaScriptEnabled: false,
        firstVisit: true,
      });
      const text = (await page.locator('main').innerText()).toLowerCase();
      const { table, product } = definition as {
        table?: { rows: Record<string, unknown>[]; columns: { key: string; type?: string }[] };
        product: { name: string };
      };
      expect(text).toContain(product.name.toLowerCase());
      const [column] = table?.columns ?? [];
      for (const row of table?.rows ?? []) {
        if (column) expect(text).toContain(String(row[column.key]).toLowerCase());
      }
    },
  );
});

describe('inbox and compare', () => {
  it.each(['inbox', 'compare'])(
    '%s shows the selected record and a decision about it',
    async (archetype) => {
      const page = await open(archetype);
      const second = page.locator('.master .open').nth(1);
      await second.focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => second.getAttribute('aria-current')).toBe('true');
      const pane = page.locator('.pane.on');
      await expect.poll(() => pane.getAttribute('data-pane')).toBe('1');
      const before = await pane.locator('.pane-status').textContent();
      await pane.locator('[data-act="reject"]').click();
      await expect.poll(() => pane.locator('.pane-status').textContent()).not.toBe(before);
      await expect
        .poll(() => second.locator('.item-status').textContent())
        .toBe(await pane.locator('.pane-status').textContent());
    },
  );
});

describe('document', () => {
  it('can be shown with its changes or as clean text', async () => {
    const page = await open('document');
    await expect.poll(() => page.locator('del').first().isVisible()).toBe(true);
    await page.locator('[data-mode="clean"]').click();
    await expect.poll(() => page.locator('del').first().isVisible()).toBe(false);
    await expect.poll(() => page.locator('ins').first().isVisible()).toBe(true);
    await expect.poll(() => page.locator('.remark').first().isVisible()).toBe(false);
  });
});

describe('the copilot', () => {
  it('continues the conversation beside its artifact', async () => {
    const page = await open('copilot');
    await page.locator('[data-ask]').first().click();
    await expect.poll(() => page.locator('.messages .mine').count()).toBe(1);
    await page.locator('[data-artifact-action]').first().click();
    await expect.poll(() => page.locator('.messages .mine').count()).toBe(2);
  });
});

describe('wizard', () => {
  it('goes step by step and ends with the scenario', async () => {
    const page = await open('wizard');
    const steps = await page.locator('.wizard-step').count();
    const shown = (): Promise<number> => page.locator('.wizard-step:visible').count();
    await expect.poll(() => shown()).toBe(1);
    await page.locator('[data-go="0"]').click();
    for (let step = 1; step < steps; step += 1) await page.locator('[data-wizard="1"]').click();
    await expect.poll(() => shown()).toBe(1);
    await expect.poll(() => page.locator(`#step-${steps - 1}`).isVisible()).toBe(true);
    await page.locator('[data-wizard="done"]').click();
    await expect.poll(() => page.locator('#confirm').getAttribute('open')).not.toBeNull();
  });
});

describe('calendar', () => {
  it('switches months and links a day to its event', async () => {
    const page = await open('calendar');
    await page.locator('.month.on .event').first().click();
    await expect.poll(() => page.locator('.agenda li:target').count()).toBe(1);
    if ((await page.locator('.month').count()) > 1) {
      const first = await page.locator('.month.on caption').textContent();
      await page.locator('[data-month="1"]').click();
      await expect.poll(() => page.locator('.month.on caption').textContent()).not.toBe(first);
    }
  });
});

describe('timeline, analytics, map and custom', () => {
  it.each(['timeline', 'analytics', 'map', 'custom'])(
    '%s is filtered by the search',
    async (archetype) => {
      const page = await open(archetype);
      const items = page.locator('[data-find]:not([hidden])');
      const all = await items.count();
      await page.locator('#search').fill('zzzz');
      await expect.poll(() => items.count()).toBe(0);
      await page.locator('#search').fill('');
      await expect.poll(() => items.count()).toBe(all);
    },
  );
});
