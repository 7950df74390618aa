import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closePages, findAxeViolations, openBrowser } from '../helpers/browser.js';
import { oneOfEach } from './corpus.js';
import { openScreen } from './open-screen.js';
import { queue } from './samples.js';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(closePages);

const widths = [360, 900, 1280] as const;
const locales = ['ru', 'kk', 'en'] as const;

/**
 * Returns the width, language and colour schemes of a state. Nine consecutive states combine every width with every
 * language, and six states combine every width with both schemes.
 */
const dealt = (index: number) => ({
  width: widths[index % 3] ?? 1280,
  locale: locales[(index + Math.floor(index / 3)) % 3] ?? 'ru',
  schemes: index % 2 === 0 ? (['light', 'dark'] as const) : (['dark', 'light'] as const),
});

/**
 * Returns all violations in one colour scheme, and the colour violations in the other. The page's CSP is bypassed, so
 * that axe can run.
 */
async function violations(page: Page, index: number): Promise<string[]> {
  const [first, second] = dealt(index).schemes;
  await page.emulateMedia({ colorScheme: first, reducedMotion: 'reduce' });
  const all = await findAxeViolations(page);
  await page.emulateMedia({ colorScheme: second, reducedMotion: 'reduce' });
  return [...all, ...(await findAxeViolations(page, 'colours'))];
}

/** Opens a screen in the width and the language of a state. */
function openState(definition: unknown, index: number) {
  const { width, locale } = dealt(index);
  const viewport = { width, height: 800 };
  return openScreen(browser, definition, { bypassCSP: true, viewport, render: { locale } });
}

// style.browser.long.test.ts checks that nothing is wider than the window.
it.each(oneOfEach().map((screen, index) => ({ ...screen, ...dealt(index), index })))(
  'the archetype $archetype has no axe violations and console messages in either scheme at $width px in $locale',
  async ({ definition, index }) => {
    const { page, problems } = await openState(definition, index);
    expect(await violations(page, index)).toEqual([]);
    expect(problems).toEqual([]);
  },
);

/** Clicks an element that a narrow layout may have moved into a menu. */
const press = (page: Page, selector: string): Promise<void> =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => (element as unknown as { click(): void }).click());

it.each(
  [
    ['the drawer', '#list .open', '#drawer[open]'],
    ['the confirmation', '#scenario [data-act="approve"]', '#confirm[open]'],
    ['the creation form', '[data-create]', '#create[open]'],
    ['the assistant', '[data-open-chat]', '#assistant[open]'],
    ['the slides', '[data-tour]', '#onboarding[open]'],
    ['the registry', '.nav-item[href="#view-1"]', '#view-1.on'],
    ['the list of documents', '.nav-item[href="#view-2"]', '#view-2.on'],
    ['a section of another screen', '.nav-item[href="#view-3"]', '#view-3.on'],
  ].map(([name, opener, open], index) => ({ name, opener, open, ...dealt(index), index })),
)(
  'the screen with $name open has no axe violations in either scheme at $width px in $locale',
  async ({ opener = '', open = '', index }) => {
    const { page } = await openState(queue, index);
    await press(page, opener);
    await page.locator(open).waitFor();
    expect(await violations(page, index)).toEqual([]);
  },
);

it('a screen with very long words is no wider than the window', async () => {
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
