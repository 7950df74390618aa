import { describe, expect, it } from 'vitest';
import { lookAround, sitAtDesk } from './admin-desk.js';
import { giveOrders, goTo, walks } from './admin-words.js';

const desk = sitAtDesk({}, async () => {});

describe.each(walks)('the admin page in $lang', ({ lang, sections }) => {
  it.each(sections)('has no axe violations in any theme and size at %s', async (...section) => {
    const page = await desk.open('#products', giveOrders);
    await page.locator('#page-language').selectOption(lang);
    await goTo(page, section);
    await lookAround(page, 320, 'light');
    await lookAround(page, 320, 'dark');
  });

  it('shows the complete names of the sections at 320 px', async () => {
    const page = await desk.open('#products');
    await page.locator('#page-language').selectOption(lang);
    await page.setViewportSize({ width: 320, height: 800 });
    const cut = `[...document.querySelectorAll('.tabs a')]
      .filter((tab) => tab.getBoundingClientRect().right > innerWidth || tab.scrollWidth > tab.clientWidth)
      .map((tab) => tab.textContent)`;
    expect(await page.evaluate(cut)).toEqual([]);
  });
});
