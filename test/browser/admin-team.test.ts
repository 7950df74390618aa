import { describe, expect, it } from 'vitest';
import { lookAround, sitAtDesk } from './admin-desk.js';

const ownerToken = 'the-token-of-the-settings';
const desk = sitAtDesk({ MSGSITE_ADMIN_TOKEN: ownerToken }, async () => {});

const giveToken = async (token: string) => {
  await desk.page.getByRole('textbox', { name: 'Admin token' }).fill(token);
  await desk.page.keyboard.press('Enter');
};
const tabs = () => desk.page.locator('.tabs a:visible').allInnerTexts();
const names = () => desk.page.locator('.team-row .person-name').allTextContents();

/** Adds a person with the keyboard only and returns the token that the page shows. */
async function addPerson(name: string, role: string): Promise<string> {
  const { page } = desk;
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('combobox', { name: 'Role' }).selectOption(role);
  await page.getByRole('textbox', { name: 'Name' }).press('Enter');
  const token = await page.getByRole('textbox', { name: 'Token' }).inputValue();
  await page.keyboard.press('Escape');
  return token;
}

describe('the team on the admin page', () => {
  it('issues each person a token that gives access according to the role until it is revoked', async () => {
    const page = await desk.open('#team');
    await giveToken(ownerToken);
    await page.getByText('Nobody has a token yet').waitFor();
    const editor = await addPerson('Әсел', 'editor');
    const orders = await addPerson('Ержан', 'orders');
    expect(editor).toMatch(/^msa_[\w-]{43}$/);
    await expect.poll(names).toEqual(['Әсел', 'Ержан']);
    await addNameAgain();

    await desk.open('#products');
    await replaceToken(editor);
    await expect.poll(tabs).toEqual([expect.stringMatching('Products'), ...editorTabs]);

    await replaceToken(orders);
    await expect.poll(tabs).toEqual([expect.stringMatching('Products'), 'Orders']);
    const { page: their } = desk;
    await their.getByText('Linen table runner').waitFor();
    expect(await their.getByRole('link', { name: 'Linen table runner' }).count()).toBe(0);
    expect(await their.getByRole('link', { name: 'Add product' }).count()).toBe(0);

    const owner = await desk.openAnother('#team');
    await owner.getByRole('textbox', { name: 'Admin token' }).fill(ownerToken);
    await owner.keyboard.press('Enter');
    await owner.getByRole('button', { name: 'Revoke the token of Ержан' }).click();
    await owner.getByRole('button', { name: 'Revoke', exact: true }).click();
    await owner.getByText('The token of Ержан is revoked.').waitFor();
    await their.evaluate(`location.hash = '#orders'`);
    await their.getByText('This token was not accepted.').waitFor();
    expect(desk.problems).toEqual([]);
  });

  it('has no axe violations, and moves the focus back to the name after a person was added', async () => {
    const page = await desk.open('#team');
    await giveToken(ownerToken);
    await addPerson('Dana', 'owner');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('team-name');
    await lookAround(page, 320, 'light');
  });

  it('stores the token on the device only if the person selects this option', async () => {
    const page = await desk.open('#team');
    const stored = () => page.evaluate<string[]>('[...Object.keys(localStorage)]');
    await page.getByRole('checkbox', { name: 'Keep me signed in on this device' }).check();
    await giveToken(ownerToken);
    await page.getByRole('textbox', { name: 'Name' }).waitFor();
    expect(await stored()).toContain('admin-token');
    await page.getByRole('button', { name: 'Forget token' }).click();
    expect(await stored()).not.toContain('admin-token');
  });
});

const editorTabs = [expect.stringMatching('News'), 'Shop'];

async function addNameAgain() {
  const { page } = desk;
  await page.getByRole('textbox', { name: 'Name' }).fill('асел');
  await page.getByRole('textbox', { name: 'Name' }).press('Enter');
  await page.getByText('The name is taken').waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('');
}

async function replaceToken(token: string) {
  const { page } = desk;
  const forget = page.getByRole('button', { name: 'Forget token' });
  if (await forget.isVisible()) await forget.click();
  await page.evaluate(`location.reload()`);
  await giveToken(token);
}
