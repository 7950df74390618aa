import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findAxeViolations, launchBrowser } from '../helpers/browser.js';
import { oneOfEach } from './corpus.js';
import { openScreen } from './open-screen.js';
import { queue } from './samples.js';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Violations in light and dark; axe runs in the page, so its policy is off here. */
async function violations(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  const inLight = await findAxeViolations(page);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  return [...inLight, ...(await findAxeViolations(page, 'colours'))];
}

it.each(oneOfEach())(
  '$archetype is accessible and quiet, light and dark, at 360, 900 and 1280 px',
  async ({ definition }) => {
    const { page, problems } = await openScreen(browser, definition, {
      bypassCSP: true,
      render: { locale: 'ru' },
    });
    for (const width of [360, 900, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await violations(page)).toEqual([]);
    }
    expect(problems).toEqual([]);
    await page.context().close();
  },
);

it.each([
  ['the drawer', '#list .open', 'drawer'],
  ['the confirmation', '#scenario [data-act="approve"]', 'confirm'],
  ['the creation form', '[data-create]', 'create'],
  ['the assistant', '[data-open-chat]', 'assistant'],
  ['the slides', '[data-tour]', 'onboarding'],
])('%s is accessible when open', async (_, selector, id) => {
  const { page } = await openScreen(browser, queue, { bypassCSP: true });
  await page.locator(selector).first().click();
  await page.locator(`#${id}[open]`).waitFor();
  expect(await violations(page)).toEqual([]);
});

it.each(['view-1', 'view-2', 'view-3'])('section %s is accessible', async (view) => {
  const { page } = await openScreen(browser, queue, { bypassCSP: true });
  await page.locator(`.nav-item[href="#${view}"]`).click();
  await page.locator(`#${view}.on`).waitFor();
  expect(await violations(page)).toEqual([]);
});

it('long words never widen the page', async () => {
  const word = 'Щ'.repeat(40);
  const definition = {
    ...queue,
    product: { name: word, purpose: word.repeat(2), entity: word },
    banner: { text: word, action: word, actionNav: 1 },
    kpis: [{ value: word, label: word, note: word }],
    scenario: { ...queue.scenario, headline: word, control: word, aiSummary: word },
    conclusion: { title: word, text: word },
  };
  const { page } = await openScreen(browser, definition);
  for (const width of [360, 900, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }
});
