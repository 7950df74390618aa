import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { describedBy, focused, lookAround, type Stored, sitAtDesk } from './admin-desk.js';

const desk = sitAtDesk();

const stored = async () => (await desk.send('GET', '/api/announcements')).data as Stored[];
const press = (name: string) => desk.page.getByRole('button', { name, exact: true }).click();

describe('announcements', () => {
  it('are hidden and shown with a switch, unless a different person has changed them first', async () => {
    const page = await desk.open('#announcements');
    const toggle = page.getByRole('switch', { name: 'Show “Winter hours” on the site' });
    await toggle.focus();
    await page.keyboard.press('Space');
    await page.getByText('“Winter hours” is hidden.').waitFor({ state: 'attached' });
    expect((await stored()).map(({ title }) => title)).not.toContain('Winter hours');
    await page.keyboard.press('Space');
    await page.getByText('“Winter hours” is on the site.').waitFor({ state: 'attached' });
    expect((await stored()).map(({ title }) => title)).toContain('Winter hours');
    await desk.send('PUT', '/api/admin/announcements/2', { active: false });
    await page.keyboard.press('Space');
    await page.getByText('“Winter hours” was not changed. Someone else').waitFor();
    await expect.poll(() => toggle.isChecked()).toBe(false);
  });

  it('are added, changed and deleted, and a deletion can be undone', async () => {
    const page = await desk.open('#announcements/new');
    await press('Add news');
    await page.getByText('One field needs your attention.').waitFor();
    expect(await focused(page)).toBe('title');
    await page.getByLabel('Title').fill('Closed on Monday');
    await page.getByLabel('Date').fill('2027-02-01');
    await press('Add news');
    await page.getByText('“Closed on Monday” is on the site.').waitFor();
    await page.getByRole('link', { name: 'Closed on Monday' }).click();
    const preview = page.getByRole('complementary', { name: 'Preview' });
    await expect.poll(() => preview.textContent()).toBe('Preview1 February 2027Closed on Monday');
    await page.getByLabel('Text').fill('We rest.');
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: 'Delete Closed on Monday' }).waitFor();
    const [before] = await stored();
    await press('Delete Closed on Monday');
    await press('Delete');
    await press('Undo');
    await page.getByText('“Closed on Monday” is back.').waitFor();
    expect((await stored())[0]).toEqual(before);
    expect(before).toMatchObject({ date: '2027-02-01', content: 'We rest.', active: true });
  });

  it('keep the time in their date if only the text is changed', async () => {
    await desk.send('PUT', '/api/admin/announcements/2', { date: '2026-11-01T09:30:00Z' });
    const page = await desk.open('#announcements/2');
    await expect.poll(() => page.getByLabel('Date').inputValue()).toBe('2026-11-01');
    await page.getByLabel('Text').fill('Other hours.');
    await press('Save changes');
    await page.getByText('“Winter hours” is on the site.').waitFor();
    const changed = (await stored()).find(({ id }) => id === 2);
    expect(changed).toMatchObject({ content: 'Other hours.', date: '2026-11-01T09:30:00Z' });
  });
});

describe('the top of the front page', () => {
  it("is previewed while the user types, is saved, and does not overwrite a different person's changes", async () => {
    const page = await desk.open('#shop');
    const preview = page.getByRole('complementary', { name: 'Preview' });
    await page.getByLabel('Title', { exact: true }).fill('Kök Nan');
    await page.getByRole('radio', { name: 'Dark' }).check();
    await expect.poll(() => preview.locator('.preview-title').textContent()).toBe('Kök Nan');
    await expect
      .poll(() => preview.locator('[data-theme]').getAttribute('data-theme'))
      .toBe('dark');
    await page.keyboard.press('Control+s');
    await page.getByText('The front page is saved').waitFor();
    expect(await desk.send('GET', '/api/settings')).toMatchObject({
      data: { heroTitle: 'Kök Nan', theme: 'dark' },
    });
    await page.getByLabel('Subtitle').fill('Bread and tea');
    await desk.send('PUT', '/api/admin/settings', { heroSubtitle: 'Tea and bread' });
    await page.keyboard.press('Control+s');
    await page
      .getByRole('dialog', { name: 'Someone else has changed this in the meantime' })
      .waitFor();
    await press('Save mine');
    await expect
      .poll(async () => (await desk.send('GET', '/api/settings')).data)
      .toMatchObject({ heroSubtitle: 'Bread and tea' });
  });
});

describe("the shop's details", () => {
  it('are edited with the keyboard, and all errors are shown together', async () => {
    const page = await desk.open('#shop');
    await page.getByLabel('Name').fill('Tandyr & Tea');
    await page.getByLabel('Phone').fill('call us');
    await page.getByLabel('Link to the map').fill('2gis');
    await page.keyboard.press('Control+s');
    await page.getByText('2 fields need your attention.').waitFor();
    expect(await focused(page)).toBe('phone');
    expect(await describedBy(page, 'Link to the map')).toContain('begins with https://');
    await lookAround(page, 320, 'dark');
    await page.getByLabel('Phone').fill('+7 701 234 56 78');
    await setHours(page);
    await page.getByLabel('Link to the map').fill('https://2gis.kz/almaty');
    await page.getByRole('main').getByLabel('Language').selectOption('kk');
    await page.keyboard.press('Control+s');
    await page.getByText('The shop is saved').waitFor();
    expect((await desk.send('GET', '/api/shop')).data).toMatchObject({
      name: 'Tandyr & Tea',
      phone: '+7 701 234 56 78',
      language: 'kk',
      map: 'https://2gis.kz/almaty',
      hours: 'Tu-We 10:00-18:00, Su 10:00-18:00',
    });
    await page.getByRole('button', { name: 'Write them in my own words' }).click();
    await page.getByRole('textbox', { name: 'Opening hours' }).fill('Every day until dark');
    await page.keyboard.press('Control+s');
    await expect
      .poll(async () => (await desk.send('GET', '/api/shop')).data)
      .toMatchObject({ hours: 'Every day until dark' });
    await page.reload();
    const own = page.getByRole('textbox', { name: 'Opening hours' });
    await expect.poll(() => own.inputValue()).toBe('Every day until dark');
    expect(desk.problems).toEqual([]);
  });
});

describe('the people view', () => {
  it('explains how to set an admin token if the site has none, and does not prompt for a token', async () => {
    const page = await desk.open('#people');
    await page.getByRole('heading', { name: 'This needs an admin token' }).waitFor();
    expect(await page.getByText('an owner’s token').count()).toBeGreaterThan(0);
    expect(await page.getByRole('textbox', { name: 'Admin token' }).isVisible()).toBe(false);
    await lookAround(page, 320, 'light');
  });
});

/** Selects Tuesday, Wednesday and Sunday. A selected day has the same hours as the previously selected one. */
async function setHours(page: Page) {
  const chosen = page.locator('.day input:checked');
  while ((await chosen.count()) > 0) await chosen.first().uncheck();
  await page.getByRole('checkbox', { name: 'Tue' }).check();
  await page.getByLabel('Tue, opens').fill('10:00');
  await page.getByRole('checkbox', { name: 'Wed' }).check();
  await page.getByRole('checkbox', { name: 'Sun' }).check();
}
