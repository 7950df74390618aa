import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closePages, openBrowser } from '../helpers/browser.js';
import { readCorpus } from './corpus.js';
import { openScreen, type ScreenOptions } from './open-screen.js';
import { queue } from './samples.js';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(closePages);

/** Size of A4 without the margins of the page style (186 mm wide), in CSS pixels. */
const a4 = { width: 703, height: 1009 };
const noScript: ScreenOptions = { javaScriptEnabled: false, firstVisit: true, viewport: a4 };

const sample = (wanted: string): Record<string, unknown> =>
  readCorpus().find(({ name }) => name === wanted)?.definition ?? {};

/** Checks a page in print, and restores the screen afterwards. */
async function onPaper(page: Page, check: () => Promise<void>): Promise<void> {
  await page.emulateMedia({ media: 'print' });
  try {
    await check();
  } finally {
    await page.emulateMedia({ media: null });
  }
}

const visible = (page: Page, selector: string): Promise<number> =>
  page.locator(selector).filter({ visible: true }).count();

const expectVisible = (page: Page, selector: string, count: number): Promise<void> =>
  expect.poll(() => visible(page, selector)).toBe(count) as unknown as Promise<void>;

/** Controls, fields and overlays, which must not be printed. */
const controls =
  ':is(button:not(.sort, .step), select, input, textarea, dialog, .top, .side, .pane-bar, .no-js)';

function letters(pageSize: number): Record<string, unknown> {
  return {
    archetype: 'inbox',
    product: { name: 'Mail', entity: 'Letter', language: 'en' },
    statuses: { new: { label: 'New', tone: 'info' }, done: { label: 'Done', tone: 'ok' } },
    inbox: { titleKey: 'subject', bodyKey: 'body' },
    table: {
      pageSize,
      columns: [
        { key: 'subject', label: 'Subject' },
        { key: 'status', label: 'Status', type: 'status' },
      ],
      rows: Array.from({ length: 9 }, (_, index) => ({
        subject: `Letter ${index}`,
        body: `Text of letter ${index}.`,
        status: index < 2 ? 'done' : 'new',
      })),
    },
  };
}

describe('the printed content', () => {
  it('of a list includes the rows of all pages, and the screen is restored', async () => {
    const { page } = await openScreen(browser, queue, { viewport: a4 });
    await expectVisible(page, 'tbody [data-row]', 4);
    await onPaper(page, async () => {
      await expectVisible(page, 'tbody [data-row]', 6);
      await expectVisible(page, controls, 0);
      await expectVisible(page, '#printed', 0);
      expect(await page.locator('.rows thead').innerText()).toContain('Number');
    });
    await expectVisible(page, 'tbody [data-row]', 4);
  });

  it.each([390, 1280])(
    'of an inbox includes all letters from a window of %i pixels',
    async (width) => {
      const { page } = await openScreen(browser, letters(4), { viewport: { width, height: 800 } });
      await page.locator('.master a').first().click();
      await expectVisible(page, '.pane', 1);
      await onPaper(page, async () => {
        await expectVisible(page, '.master [data-row]', 9);
        await expectVisible(page, '.pane', 9);
        await expectVisible(page, controls, 0);
      });
      await expectVisible(page, '.pane', 1);
    },
  );

  it('is limited by the search and the filters, and lists them', async () => {
    const { page } = await openScreen(browser, letters(4), { viewport: a4 });
    await page.getByRole('button', { name: /^Done/ }).click();
    await page.locator('#search').fill('letter 1');
    await onPaper(page, async () => {
      await expectVisible(page, '.master [data-row]', 1);
      await expectVisible(page, '.pane', 1);
      await expect
        .poll(() => page.locator('#printed').innerText())
        .toBe(
          'Only part of this page is printed · Search: letter 1 · Filter by status: Done · 1 record found',
        );
    });
    await page.locator('#search').fill('');
    await page.getByRole('button', { name: /^All/ }).click();
    await onPaper(page, async () => {
      await expectVisible(page, '.pane', 9);
      await expectVisible(page, '#printed', 0);
    });
  });

  it('of a comparison includes all records with the values of both sources', async () => {
    const { page } = await openScreen(browser, sample('compare/stock-reconciliation-ru'), {
      viewport: a4,
    });
    const records = await page.locator('.pane').count();
    await onPaper(page, async () => {
      await expectVisible(page, '.pane', records);
      await expectVisible(page, '.pairs', records);
      await expectVisible(page, controls, 0);
    });
  });

  it('of a wizard includes all steps with the typed values', async () => {
    const definition = sample('wizard/new-employee-en');
    const { page } = await openScreen(browser, definition, { viewport: a4 });
    const steps = await page.locator('.wizard-step').count();
    await expectVisible(page, '.wizard-step', 1);
    const typed = `A long answer. ${'More of it. '.repeat(20)}The end`;
    await page.locator('.wizard-step.on input').first().fill(typed);
    await onPaper(page, async () => {
      await expectVisible(page, '.wizard-step', steps);
      await expectVisible(page, controls, 0);
      await expect.poll(() => page.locator('.wizard-step.on').innerText()).toContain(typed);
    });
    await expectVisible(page, '.wizard-step', 1);
  });

  it('of a calendar includes all months and all days, even from a small window', async () => {
    const { page } = await openScreen(browser, sample('calendar/tax-deadlines-ru'), {
      viewport: { width: 390, height: 800 },
    });
    const months = await page.locator('.month').count();
    expect(months).toBeGreaterThan(1);
    const days = await page.locator('.agenda-day').count();
    await onPaper(page, async () => {
      await expectVisible(page, '.month', months);
      await expectVisible(page, '.agenda-day', days);
      await expectVisible(page, controls, 0);
    });
  });

  it('of an open drawer includes only the record', async () => {
    const { page } = await openScreen(browser, queue, { viewport: a4 });
    await page.locator('tbody .open').first().click();
    await expectVisible(page, '#drawer', 1);
    await onPaper(page, async () => {
      await expectVisible(page, 'main', 0);
      await expect.poll(() => page.locator('#drawer').innerText()).toContain('Penalty is high');
      await expectVisible(page, '#drawer button', 0);
    });
    await page.keyboard.press('Escape');
  });

  it.each(['light', 'dark'] as const)('has light colours for a %s page', async (theme) => {
    const options: ScreenOptions = { colorScheme: theme, viewport: a4, render: { theme } };
    const { page } = await openScreen(browser, queue, options);
    const ink = (): Promise<unknown> => page.evaluate('getComputedStyle(document.body).color');
    const onScreen = await ink();
    await onPaper(page, async () => {
      await expect.poll(ink).toBe('rgb(23, 28, 38)');
    });
    expect(onScreen === 'rgb(23, 28, 38)').toBe(theme === 'light');
  });
});

describe('printing without JavaScript', () => {
  it('includes a wizard with its empty fields', async () => {
    const { page } = await openScreen(browser, sample('wizard/new-employee-en'), noScript);
    const fields = await page.locator('.wizard .field').count();
    await onPaper(page, async () => {
      await expectVisible(page, '.wizard .field :is(input, textarea)', fields);
      await expectVisible(page, '.wizard .field .paper', 0);
    });
  });

  it('includes every letter', async () => {
    const { page } = await openScreen(browser, letters(4), noScript);
    await onPaper(page, async () => {
      await expectVisible(page, '.pane', 9);
      await expectVisible(page, controls, 0);
    });
  });

  it('expands collapsed content', async () => {
    const { page } = await openScreen(browser, queue, noScript);
    const flag = page.getByText('Penalty is high');
    await expect.poll(() => flag.isVisible()).toBe(false);
    await onPaper(page, () => expect.poll(() => flag.isVisible()).toBe(true));
  });
});

describe('the printed page', () => {
  it.each(readCorpus())('is wide enough for $name', async ({ definition }) => {
    const { page } = await openScreen(browser, definition, { viewport: a4 });
    await onPaper(page, async () => {
      const over = 'document.documentElement.scrollWidth - innerWidth';
      await expect.poll(() => page.evaluate(over)).toBe(0);
    });
  });

  it('is in landscape for a list with many columns', async () => {
    const columns = Array.from({ length: 12 }, (_, index) => ({
      key: `k${index}`,
      label: `Column ${index}`,
    }));
    const row = Object.fromEntries(columns.map(({ key }) => [key, 'Some text here']));
    const rows = Array.from({ length: 40 }, () => row);
    const { page } = await openScreen(browser, { ...queue, table: { columns, rows } });
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? [];
    expect(Number(width)).toBeGreaterThan(Number(height));
  });
});
