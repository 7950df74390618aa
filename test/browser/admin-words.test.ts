import { describe, expect, it } from 'vitest';
import { demoContent } from '../../src/site/demo.js';
import { focused, sitAtDesk } from './admin-desk.js';
import { giveOrders, goTo, latinWords, walks } from './admin-words.js';

const desk = sitAtDesk({}, async () => {});

/** The texts in the demo content, longest first. */
const content = JSON.stringify(demoContent)
  .match(/"(?:[^"\\]|\\.)+"/g)
  ?.map((text) => JSON.parse(text) as string)
  .sort((a, b) => b.length - a.length);

/** A script that returns the number of HTML elements that refer to an unknown text. */
const unnamed = `[...document.querySelectorAll('[data-word], [data-label]')]
  .filter(({ textContent, ariaLabel }) => !textContent && !ariaLabel).length`;

const languageOf = () => desk.page.evaluate<string>('document.documentElement.lang');

describe.each(walks)('the admin page in $lang', ({ lang, fault, sections }) => {
  it('shows every text in the language, and remembers the choice', async () => {
    const page = await desk.open('#shop', giveOrders);
    await page.locator('#page-language').selectOption(lang);
    await expect.poll(languageOf).toBe(lang);
    expect(new URL(page.url()).hash).toBe('#shop');
    expect(await focused(page)).toContain('English');
    await page.reload();
    await expect.poll(languageOf).toBe(lang);
    expect(await page.evaluate(unnamed)).toBe(0);
    for (const section of sections) {
      await goTo(page, section);
      expect(await page.title()).toContain(section[1]);
      if (section[0] === '#products/3') {
        await page.locator('#name').fill('');
        await page.keyboard.press('Control+s');
        await page.getByText(fault).waitFor();
        await page.locator('#name').fill('Apricot and walnut galette');
      }
      expect(await latinWords(page, content ?? []), section[0]).toEqual([]);
    }
    expect(await languageOf()).toBe(lang);
    expect(desk.problems).toEqual([]);
  });
});

it('changing the language asks for confirmation if there are unsaved changes', async () => {
  const page = await desk.open('#products/3');
  await page.locator('#page-language').selectOption('en');
  await page.getByLabel('Name').fill('Changed');
  await page.locator('#page-language').selectOption('ru');
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await expect.poll(() => page.locator('#page-language').inputValue()).toBe('en');
  expect(await page.getByLabel('Name').inputValue()).toBe('Changed');
  await page.locator('#page-language').selectOption('ru');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('heading', { level: 1, name: 'Изменить товар' }).waitFor();
  expect(await page.locator('#name').inputValue()).toBe('Apricot and walnut galette');
});
