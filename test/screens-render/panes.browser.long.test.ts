import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closePages, openBrowser } from '../helpers/browser.js';
import { openScreen } from './open-screen.js';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(closePages);

const phone = { viewport: { width: 390, height: 800 } };
const desktop = { viewport: { width: 1280, height: 800 } };

/** Thirty letters on three pages of the list. Every third letter is done. */
const inbox = {
  archetype: 'inbox',
  product: { name: 'Mail', entity: 'Letter', language: 'en' },
  nav: [{ label: 'Letters' }, { label: 'Files', view: 'documents' }],
  kpis: [{ value: '30', label: 'Letters' }],
  statuses: { new: { label: 'New', tone: 'info' }, done: { label: 'Done', tone: 'ok' } },
  scenario: { headline: 'Answer', control: 'Answer it', reject: 'Leave it', rejectTo: 'done' },
  inbox: { titleKey: 'subject', timeKey: 'time', bodyKey: 'body' },
  activity: [{ title: 'Letter 04 was read', link: 'Letter 04' }],
  table: {
    pageSize: 12,
    columns: [
      { key: 'subject', label: 'Subject' },
      { key: 'time', label: 'Time' },
      { key: 'status', label: 'Status', type: 'status' },
    ],
    rows: Array.from({ length: 30 }, (_, index) => ({
      subject: `Letter ${String(index).padStart(2, '0')}`,
      time: '10:00',
      body: `Text of letter ${index}.\n\n${'More of it. '.repeat(200)}`,
      status: index % 3 === 2 ? 'done' : 'new',
      _docs: [{ label: `File ${index}`, type: 'file' }],
    })),
  },
};

const line = (page: Page, index: number) => page.locator(`.master a[href="#pane-${index}"]`);
const focused = (page: Page): Promise<string> =>
  page.evaluate(
    'document.activeElement.getAttribute("href") ?? document.activeElement.textContent',
  );
const pressed = (page: Page, hash: string): Promise<void> =>
  expect.poll(() => page.evaluate('location.hash')).toBe(hash) as unknown as Promise<void>;

async function expectRecord(page: Page, index: number): Promise<void> {
  const pane = page.locator('.pane:visible');
  await expect.poll(() => pane.getAttribute('data-pane')).toBe(String(index));
  await expect.poll(() => page.locator('.master').isVisible()).toBe(false);
  await expect.poll(() => page.locator('[data-to-list]').isVisible()).toBe(true);
}

async function expectList(page: Page): Promise<void> {
  await expect.poll(() => page.locator('.master').isVisible()).toBe(true);
  await expect.poll(() => page.locator('.pane:visible').count()).toBe(0);
}

describe('a record on a phone', () => {
  it('replaces the list, which is restored unchanged', async () => {
    const { page, problems } = await openScreen(browser, inbox, phone);
    await expectList(page);
    await line(page, 9).scrollIntoViewIfNeeded();
    const scrolled = await page.evaluate('scrollY');
    expect(scrolled).toBeGreaterThan(300);
    await line(page, 9).click();
    await expectRecord(page, 9);
    await expect.poll(() => focused(page)).toBe('Letter 09');
    await expect.poll(() => page.locator('[data-to-list]').boundingBox()).toMatchObject({ x: 25 });
    await expect.poll(() => page.locator('.kpis').isVisible()).toBe(false);

    await page.getByRole('link', { name: 'Back to the list' }).click();
    await expectList(page);
    await expect.poll(() => focused(page)).toBe('#pane-9');
    await expect.poll(() => page.evaluate('scrollY')).toBe(scrolled);
    expect(problems).toEqual([]);
  });

  it('can be left and opened again through the browser history', async () => {
    const { page } = await openScreen(browser, inbox, phone);
    await line(page, 1).click();
    await expectRecord(page, 1);
    await page.goBack();
    await expectList(page);
    await expect.poll(() => focused(page)).toBe('#pane-1');
    await page.goForward();
    await expectRecord(page, 1);
    await expect.poll(() => focused(page)).toBe('Letter 01');
  });

  it('is closed by Escape', async () => {
    const { page } = await openScreen(browser, inbox, phone);
    await line(page, 1).click();
    await expectRecord(page, 1);
    await page.keyboard.press('Escape');
    await expectList(page);
  });

  it('has its own URL, which works after a reload and leads back to the list', async () => {
    const { page } = await openScreen(browser, inbox, phone);
    const address = page.url();
    await page.goto('about:blank');
    await page.goto(`${address}#pane-20`);
    await expectRecord(page, 20);
    await page.reload();
    await expectRecord(page, 20);
    await page.locator('[data-to-list]').click();
    await expectList(page);
    // The list has switched to the page with the line.
    await expect.poll(() => focused(page)).toBe('#pane-20');
  });

  it('leads to the adjacent records, and back to the line of the last record in one step', async () => {
    const { page } = await openScreen(browser, inbox, phone);
    await line(page, 10).click();
    for (const index of [11, 12]) {
      await page.getByRole('button', { name: 'Next' }).and(page.locator(':visible')).click();
      await expectRecord(page, index);
    }
    await page.goBack();
    await expectList(page);
    await expect.poll(() => focused(page)).toBe('#pane-12');
    await page.locator('.master a').first().click();
    await expect.poll(() => page.locator('[data-pane-step="1"]').isEnabled()).toBe(true);
  });

  it('can be opened from elsewhere on the page, and returns the focus there', async () => {
    const { page } = await openScreen(browser, inbox, phone);
    await page.locator('.activity a').click();
    await expectRecord(page, 4);
    await page.goBack();
    await expectList(page);
    await expect
      .poll(() => page.evaluate('document.activeElement.closest(".activity") !== null'))
      .toBe(true);
  });

  it('is replaced by the list when the reader types a search', async () => {
    const { page } = await openScreen(browser, inbox, phone);
    await line(page, 3).click();
    await expectRecord(page, 3);
    await page.locator('#search').fill('Letter 07');
    await expectList(page);
    await expect.poll(() => page.locator('.master a').count()).toBe(1);
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('search');
  });

  it('stays open after a decision', async () => {
    const { page } = await openScreen(browser, inbox, phone);
    await line(page, 3).click();
    await page.locator('.pane:visible [data-act="reject"]').click();
    await expect.poll(() => page.locator('.pane:visible .pane-status').textContent()).toBe('Done');
    await expectRecord(page, 3);
  });

  it('stays open when the phone is rotated', async () => {
    const { page } = await openScreen(browser, inbox, phone);
    await line(page, 3).click();
    await page.setViewportSize({ width: 1000, height: 390 });
    await expect.poll(() => page.locator('.master').isVisible()).toBe(true);
    await expect.poll(() => page.locator('.pane:visible').getAttribute('data-pane')).toBe('3');
    await page.setViewportSize(phone.viewport);
    await expectRecord(page, 3);
  });
});

describe('a record beside the list', () => {
  it('is the first one until another one is selected, and is marked in the list', async () => {
    const { page } = await openScreen(browser, inbox, desktop);
    const current = page.locator('.master [aria-current="true"]');
    await expect.poll(() => current.getAttribute('href')).toBe('#pane-0');
    await line(page, 2).click();
    await expect.poll(() => current.getAttribute('href')).toBe('#pane-2');
    await expect.poll(() => current.count()).toBe(1);
    await line(page, 3).click();
    await pressed(page, '#pane-3');
    // Moving between records adds no history entries.
    await page.goBack();
    await expect.poll(() => current.getAttribute('href')).toBe('#pane-0');
  });

  it('stays visible while the list is scrolled', async () => {
    const { page } = await openScreen(browser, inbox, desktop);
    const list = page.locator('.split');
    const y = Number((await list.boundingBox())?.y) + 100;
    await page.evaluate(`scrollTo(0, ${y})`);
    await expect.poll(async () => (await list.boundingBox())?.y).toBeLessThan(-99);
    await expect
      .poll(async () => (await page.locator('.pane.on .pane-head h3').boundingBox())?.y)
      .toBeGreaterThan(0);
  });

  it('stays open if a filter hides its line, provided that the reader has selected it', async () => {
    const { page } = await openScreen(browser, inbox, desktop);
    const pane = page.locator('.pane:visible');
    await page.getByRole('button', { name: /^Done/ }).click();
    await expect.poll(() => pane.getAttribute('data-pane')).toBe('2');
    await page.getByRole('button', { name: /^All/ }).click();
    await line(page, 1).click();
    await page.getByRole('button', { name: /^Done/ }).click();
    await expect.poll(() => page.locator('.master [aria-current]').count()).toBe(0);
    await expect.poll(() => pane.getAttribute('data-pane')).toBe('1');
  });

  it('can be opened from another section', async () => {
    const { page } = await openScreen(browser, inbox, desktop);
    await page.getByRole('link', { name: 'Files' }).click();
    await page.getByRole('link', { name: 'Letter 14' }).click();
    await expect
      .poll(() => page.locator('#home.on .pane:visible .pane-head h3').textContent())
      .toBe('Letter 14');
    await page.goBack();
    await expect.poll(() => page.locator('#view-1').isVisible()).toBe(true);
  });
});

it('all records are shown without JavaScript, with a link back to the list', async () => {
  const { page } = await openScreen(browser, inbox, { ...phone, javaScriptEnabled: false });
  await expect.poll(() => page.locator('.pane:visible').count()).toBe(30);
  await line(page, 9).click();
  await pressed(page, '#pane-9');
  await page.locator('#pane-9').getByRole('link', { name: 'Back to the list' }).click();
  await pressed(page, '#list');
  await expect.poll(() => page.locator('[data-to-list]').isVisible()).toBe(false);
});
