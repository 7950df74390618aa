import { describe, expect, it } from 'vitest';
import { type Stored, sitAtDesk } from './admin-desk.js';

const token = 'open-sesame-1234';
const desk = sitAtDesk({ MSGSITE_ADMIN_TOKEN: token });

const stored = async () => (await desk.send('GET', '/api/announcements')).data as Stored[];

const giveToken = async (text: string) => {
  await desk.page.getByRole('textbox', { name: 'Admin token' }).fill(text);
  await desk.page.keyboard.press('Enter');
};

describe('the admin page with an admin token', () => {
  it('prompts for the token, rejects a wrong token, and continues with the correct token', async () => {
    const page = await desk.open('#announcements');
    await giveToken('wörng');
    await page.getByText('This token was not accepted.').waitFor();
    await giveToken('wrong');
    await page.getByText('This token was not accepted.').waitFor();
    await giveToken(token);
    await page.getByRole('link', { name: 'Winter hours' }).waitFor();
    await page.getByRole('switch', { name: 'Show “Winter hours” on the site' }).click();
    await page.getByText('“Winter hours” is hidden.').waitFor({ state: 'attached' });
    expect(page.url()).not.toContain('sesame');
    await expect
      .poll(() => page.evaluate('JSON.stringify(localStorage) + document.cookie'))
      .not.toContain('sesame');
    await page.reload();
    await page.getByRole('link', { name: 'Winter hours' }).waitFor();
    await expect.poll(() => page.getByRole('dialog').isVisible()).toBe(false);
  });

  it('prompts again after the token was removed, and keeps the input', async () => {
    const page = await desk.open('#announcements');
    await giveToken(token);
    await page.getByRole('link', { name: 'Winter hours' }).click();
    await page.getByLabel('Text').fill('Other hours.');
    await page.getByRole('button', { name: 'Forget token' }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await giveToken(token);
    await page.getByText('“Winter hours” is on the site.').waitFor();
    expect((await stored()).map(({ content }) => content)).toContain('Other hours.');
  });

  it('cancels every call in progress when the prompt is dismissed', async () => {
    const held: (() => Promise<void>)[] = [];
    const page = await desk.open('#announcements', (tab) =>
      tab.route('**/api/admin/announcements', (route) =>
        held.push(() => route.continue()) === 1 ? route.continue() : undefined,
      ),
    );
    // Both calls are in progress before the prompt is dismissed.
    await expect.poll(() => held.length).toBe(2);
    await page.getByRole('button', { name: 'Not now' }).click();
    await held[1]?.();
    await page.getByText('The news could not be loaded').waitFor();
    await expect.poll(() => page.getByRole('dialog').isVisible()).toBe(false);
  });

  it('reports the missing data when the prompt is dismissed, and prompts again on a retry', async () => {
    const page = await desk.open('#announcements');
    // Waits until the list's call has been rejected, because a later call would prompt again.
    const calls = `performance.getEntriesByType('resource')
      .filter(({ name }) => name.includes('/api/admin/announcements')).length`;
    await expect.poll(() => page.evaluate<number>(calls)).toBeGreaterThan(1);
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.getByText('The news could not be loaded').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await giveToken(token);
    await page.getByRole('link', { name: 'Winter hours' }).waitFor();
  });
});
