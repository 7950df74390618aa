import { describe, expect, it } from 'vitest';
import { createApiClient } from '../helpers/api-client.js';
import { type Desk, focused, lookAround, sitAtDesk } from './admin-desk.js';

const adminToken = 'an-admin-token-for-tests';
const password = 'walnut and thyme';

/** Creates accounts. Each name is mapped to the local part of its e-mail address. */
async function signUp(people: Readonly<Record<string, string>>) {
  const call = await createApiClient(desk.server.site);
  for (const [username, localPart] of Object.entries(people)) {
    const email = `${localPart}@shop.example`;
    const answer = await call('POST', '/api/auth/register', {
      body: { username, email, password },
    });
    if (answer.status !== 201) throw new Error(`${email}: ${answer.status}`);
  }
}

async function signIn(name: string, word = password) {
  const call = await createApiClient(desk.server.site);
  const body = { email: `${name}@shop.example`, password: word };
  const answer = await call('POST', '/api/auth/login', { body });
  const { token } = answer.body;
  const me = async () => (await call('GET', '/api/auth/me', { token })).status;
  return { status: answer.status, me, call };
}

/** Opens the people view and enters the admin token. */
async function openWithToken() {
  const page = await desk.open('#people');
  await page.getByRole('textbox', { name: 'Admin token' }).fill(adminToken);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('searchbox', { name: 'Find people' }).waitFor();
  return page;
}

/** Deletes all accounts and creates three new ones. */
async function invite(at: Desk) {
  const { users } = await at.send('GET', '/api/admin/users?limit=100');
  for (const { id } of users as { id: number }[]) await at.send('DELETE', `/api/admin/users/${id}`);
  await signUp({ 'Dana Omarova': 'dana', 'Әсел Қасым': 'asel', 'Dan Brown': 'dan' });
}

const desk = sitAtDesk({ MSGSITE_ADMIN_TOKEN: adminToken, MSGSITE_RATE_LIMIT: 'off' }, invite);

const names = () => desk.page.locator('.person-name').allTextContents();
const press = (name: string) => desk.page.getByRole('button', { name, exact: true }).click();

describe('the people view with an admin token', () => {
  it('lists all users, and searches by name and by complete e-mail address', async () => {
    const page = await openWithToken();
    await expect.poll(names).toEqual(['Dana Omarova', 'Әсел Қасым', 'Dan Brown']);
    const search = page.getByRole('searchbox', { name: 'Find people' });
    await search.fill('асел');
    await expect.poll(names).toEqual(['Әсел Қасым']);
    await search.fill('DAN@shop.example');
    await expect.poll(names).toEqual(['Dan Brown']);
    await search.fill('shop.example');
    await page.getByText('Nobody found for “shop.example”').waitFor();
    await search.fill('');
    await expect.poll(names).toHaveLength(3);
    await page.getByText('dana@shop.example').waitFor();
    expect(desk.problems).toEqual([]);
  });

  it('creates a reset code with the keyboard only and shows it once, and the code sets a new password', async () => {
    const page = await openWithToken();
    await page.getByRole('button', { name: 'Reset code for Dana Omarova' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'A code for Dana Omarova' });
    await dialog.waitFor();
    expect(await dialog.textContent()).toMatch(/until \d\d:\d\d.*\/chat\.html#reset/);
    const code = await dialog.getByLabel('Reset code').inputValue();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.keyboard.press('Enter');
    await dialog.getByText('Copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(code);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    // The code is cleared on the dialog's close event, which follows after the dialog is hidden.
    await expect.poll(() => page.content()).not.toContain(code);
    const values = "[...document.querySelectorAll('input')].map((input) => input.value)";
    await expect.poll(() => page.evaluate<string[]>(values)).not.toContain(code);
    await expect.poll(() => focused(page)).toBe('Reset code for Dana Omarova');
    const { call } = await signIn('dan');
    const body = { email: 'dana@shop.example', code, newPassword: 'apricot and thyme' };
    expect((await call('POST', '/api/auth/reset', { body })).status).toBe(200);
    expect((await signIn('dana')).status).toBe(401);
    expect((await signIn('dana', 'apricot and thyme')).status).toBe(200);
  });

  it('selects the code if the browser has no clipboard access', async () => {
    const page = await openWithToken();
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await press('Reset code for Dana Omarova');
    await press('Copy');
    await page.getByText('The code is selected: copy it with Ctrl+C.').waitFor();
    const marked = await page.evaluate<string>(
      'document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)',
    );
    expect(marked).toBe(await page.getByLabel('Reset code', { exact: true }).inputValue());
  });

  it('signs a user out everywhere after confirmation', async () => {
    const [dana, dan] = [await signIn('dana'), await signIn('dan')];
    const page = await openWithToken();
    await press('Sign out Dana Omarova everywhere');
    await press('Cancel');
    expect(await dana.me()).toBe(200);
    await press('Sign out Dana Omarova everywhere');
    await press('Sign out');
    await page.getByText('Dana Omarova is signed out everywhere.').waitFor();
    expect([await dana.me(), await dan.me()]).toEqual([401, 200]);
    expect((await signIn('dana')).status).toBe(200);
  });

  it('deletes an account after explaining what is deleted and what is kept', async () => {
    const page = await openWithToken();
    await press('Delete the account of Dana Omarova');
    const dialog = page.getByRole('dialog', { name: 'Delete the account of Dana Omarova?' });
    expect(await dialog.textContent()).toMatch(
      /dana@shop\.example.*Messages stay.*cannot be undone/,
    );
    await page.keyboard.press('Escape');
    expect(await names()).toHaveLength(3);
    await press('Delete the account of Dana Omarova');
    await press('Delete for good');
    await page.getByText('The account of Dana Omarova is deleted.').waitFor();
    expect(await names()).toEqual(['Әсел Қасым', 'Dan Brown']);
    // The focus moves to the next entry in the list.
    await expect.poll(() => focused(page)).toBe('Reset code for Әсел Қасым');
    expect((await signIn('dana')).status).toBe(401);
  });

  it('reports a user who was deleted in the meantime, and shows the remaining users', async () => {
    const page = await openWithToken();
    await page.getByText('Dan Brown').first().waitFor();
    const { users } = await desk.send('GET', '/api/admin/users?q=Brown');
    const [{ id }] = users as [{ id: number }];
    await desk.send('DELETE', `/api/admin/users/${id}`);
    await press('Reset code for Dan Brown');
    await page.getByText('No code was created for Dan Brown.').waitFor();
    await expect.poll(names).toEqual(['Dana Omarova', 'Әсел Қасым']);
  });

  it('loads more users on request, and moves the focus to them', async () => {
    const guests = Array.from({ length: 50 }, (_, index) => `guest${index + 4}`);
    await signUp(Object.fromEntries(guests.map((name) => [name, name])));
    const page = await openWithToken();
    await expect.poll(names).toHaveLength(50);
    await press('Show more');
    await expect.poll(names).toHaveLength(53);
    await expect.poll(() => focused(page)).toBe('Reset code for guest51');
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
  });

  it('prompts again after a wrong token, and stops when the prompt is dismissed', async () => {
    const page = await desk.open('#people');
    const token = page.getByRole('textbox', { name: 'Admin token' });
    await token.fill('not-the-token-at-all');
    await press('Continue');
    await page.getByText('This token was not accepted.').waitFor();
    await press('Not now');
    await page.getByText('The people could not be loaded').waitFor();
    expect(await token.isVisible()).toBe(false);
  });

  it('has no axe violations in light and dark, on a phone and a desktop', async () => {
    const page = await openWithToken();
    await page.getByText('Dan Brown').first().waitFor();
    await lookAround(page, 1280, 'light');
    await press('Reset code for Dana Omarova');
    await lookAround(page, 320, 'dark');
    await press('Close');
    await press('Delete the account of Dana Omarova');
    await lookAround(page, 1280, 'dark');
  });
});
