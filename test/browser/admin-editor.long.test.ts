import { describe, expect, it } from 'vitest';
import { describedBy, focused, lookAround, type Stored, sitAtDesk } from './admin-desk.js';

const desk = sitAtDesk();

const stored = async () => (await desk.send('GET', '/api/products')).data as Stored[];
const galette = async () => (await stored()).find(({ id }) => id === 3);
const save = () => desk.page.getByRole('button', { name: 'Save changes' }).click();

describe('the product editor', () => {
  it('adds a product with the keyboard only and returns to its row', async () => {
    const page = await desk.open('#products/new');
    await page.getByLabel('Name').focus();
    const type = async (...texts: readonly string[]) => {
      for (const text of texts) {
        await page.keyboard.insertText(text);
        await page.keyboard.press('Tab');
      }
    };
    await type('Samsa', 'With pumpkin', '1 450,50', 'Bakery');
    await page.getByText('Use the address of a picture').click();
    await page.getByLabel('Picture address').focus();
    await type('/demo/piala.svg', 'Hot.\nVery hot.');
    await page.keyboard.press('Enter');
    await page.keyboard.insertText('One');
    await page.keyboard.press('Enter');
    await page.keyboard.insertText('Two');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Control+s');
    await page.getByText('“Samsa” is on the site.').waitFor();
    expect((await stored()).at(-1)).toMatchObject({
      name: 'Samsa',
      tagline: 'With pumpkin',
      price: 1450.5,
      category: 'Bakery',
      image: '/demo/piala.svg',
      description: 'Hot.\nVery hot.',
      features: ['One', 'Two'],
    });
    await expect.poll(() => focused(page)).toBe('Samsa');
    expect(desk.problems).toEqual([]);
  });

  it('sends only the changed fields, and the version that was opened', async () => {
    const page = await desk.open('#products/3');
    const sent: unknown[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'PUT') return;
      sent.push({ ...request.postDataJSON(), from: request.headers()['if-match'] });
    });
    const { headers } = await fetch(`${desk.server.site}/api/products/3`);
    await page.getByLabel('Price').fill('3 700');
    await save();
    await page.getByText('“Apricot and walnut galette” is saved.').waitFor();
    const from = (sent[0] as { from: string }).from.replace(/-(br|gzip)"$/, '"');
    expect([{ ...(sent[0] as object), from }]).toEqual([
      { price: 3700, from: headers.get('etag')?.replace(/-(br|gzip)"$/, '"') },
    ]);
    expect(sent).toHaveLength(1);
  });

  it('shows all errors together, each with a link, before anything is sent', async () => {
    const page = await desk.open('#products/3');
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.method()));
    await page.getByLabel('Name').fill(' ');
    await page.getByLabel('Price').fill('cheap');
    await page.getByText('Use the address of a picture').click();
    await page.getByLabel('Picture address').fill('javascript:alert(1)');
    await page.getByLabel('Line 2', { exact: true }).fill('x'.repeat(501));
    await save();
    await page.getByText('4 fields need your attention.').waitFor();
    const faults = {
      Name: 'Enter a name.',
      'Price, ₸': 'Enter a number',
      'Picture address': 'must be an https address',
      'Line 2': '501 characters long; at most 500 are allowed',
    };
    for (const [label, fault] of Object.entries(faults)) {
      const field = page.getByLabel(label, { exact: true });
      expect(await field.getAttribute('aria-invalid'), label).toBe('true');
      expect(await describedBy(page, label), label).toContain(fault);
    }
    expect(await focused(page)).toBe('name');
    await page.getByRole('alert').getByRole('link', { name: 'Good to know' }).press('Enter');
    expect(await focused(page)).toBe('Line 2');
    expect(page.url()).toContain('#products/3');
    expect(sent).not.toContain('PUT');
    await lookAround(page, 320, 'light');
    await page.getByLabel('Name').fill('Galette');
    await page.getByLabel('Price').fill('1');
    await page.getByLabel('Picture address').fill('');
    await page.getByLabel('Line 2', { exact: true }).fill('short');
    await save();
    await page.getByText('“Galette” is saved.').waitFor();
  });

  it('shows errors from the service next to their fields', async () => {
    const page = await desk.open('#products/3');
    await page.route('**/api/admin/products/3', (route) =>
      route.fulfill({
        status: 400,
        json: {
          ok: false,
          error: 'The body is not valid.',
          code: 'bad_request',
          details: [
            { path: '/category', message: 'must be a word that is allowed' },
            { path: '', message: 'Something else is wrong.' },
          ],
        },
      }),
    );
    await page.getByLabel('Category').fill('Secret');
    await save();
    await page.getByText('One field needs your attention. Something else is wrong.').waitFor();
    expect(await describedBy(page, 'Category')).toContain('Must be a word that is allowed.');
  });

  it('keeps the input if the server cannot store it, and stores it on a retry', async () => {
    const page = await desk.open('#products/3');
    await page.route('**/api/admin/products/3', (route) =>
      route.fulfill({
        status: 503,
        json: { ok: false, error: 'Full.', code: 'storage_unavailable' },
      }),
    );
    await page.getByLabel('Name').fill('Galette');
    await save();
    await page.getByText('cannot store anything at the moment').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Galette');
    await page.unrouteAll();
    await save();
    await page.getByText('“Galette” is saved.').waitFor();
  });

  it('previews the picture, and reports if it does not load', async () => {
    const page = await desk.open('#products/3');
    const preview = page.getByRole('complementary', { name: 'Preview' });
    await expect
      .poll(() => preview.locator('img').getAttribute('src'))
      .toContain('/demo/galette.svg');
    await page.getByText('Use the address of a picture').click();
    await page.getByLabel('Picture address').fill('/demo/none.svg');
    await preview.getByText('The picture does not load').waitFor();
    await expect.poll(() => preview.locator('.monogram').textContent()).toBe('A');
  });

  it('asks for confirmation before unsaved changes are lost, within the page and when it is closed', async () => {
    const page = await desk.open('#products/3');
    await page.getByLabel('Name').fill('Changed');
    await page.getByRole('link', { name: 'Shop' }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    expect(await page.getByLabel('Name').inputValue()).toBe('Changed');
    expect(new URL(page.url()).hash).toBe('#products/3');
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => asked).toEqual(['beforeunload']);
    await page.getByRole('link', { name: 'Shop' }).click();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
    expect((await galette())?.name).toBe('Apricot and walnut galette');
  });

  it('closes without confirmation if nothing was changed, and reports a deleted product', async () => {
    const page = await desk.open('#products/3');
    await page.getByLabel('Name').fill('Changed');
    await page.getByLabel('Name').fill('Apricot and walnut galette');
    await page.getByRole('link', { name: 'All products' }).click();
    await page.locator('.row-name').first().waitFor();
    await page.evaluate("location.hash = '#products/77'");
    await page.getByText('This product does not exist').waitFor();
  });
});

describe('a conflict between two edits of the same product', () => {
  /** Opens the product, and stores a different version as a second person. */
  const clash = async () => {
    const page = await desk.open('#products/3');
    await page.getByLabel('Name').fill('My galette');
    await page.getByLabel('Price').fill('4000');
    const other = await desk.openAnother('#products/3');
    await other.getByLabel('Price').fill('3900');
    await other.getByLabel('Tagline').fill('Of today');
    await other.getByRole('button', { name: 'Save changes' }).click();
    await other.getByText('is saved.').waitFor();
    await save();
    await page
      .getByRole('dialog', { name: 'Someone else has changed this in the meantime' })
      .waitFor();
    return page;
  };
  const press = (name: string) => desk.page.getByRole('button', { name, exact: true }).click();

  it('shows both versions field by field, and can be resolved by saving one’s own version', async () => {
    const page = await clash();
    const rows = page.getByRole('dialog').locator('tbody tr');
    await expect
      .poll(() => rows.allInnerTexts())
      .toEqual([
        'Name\tMy galette\tApricot and walnut galette\tyou',
        'Tagline\tSummer apricots under a folded crust\tOf today\tthem',
        'Price, ₸\t4000\t3900\tboth of you',
      ]);
    await lookAround(page, 1280, 'dark');
    await press('Save mine');
    await page.getByText('“My galette” is saved.').waitFor();
    expect(await galette()).toMatchObject({ name: 'My galette', price: 4000, tagline: 'Of today' });
  });

  it('can be resolved by using the other person’s version or by editing further', async () => {
    const page = await clash();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByLabel('Tagline').inputValue()).toBe('Of today');
    expect(await page.getByLabel('Price').inputValue()).toBe('4000');
    await page.getByLabel('Price').fill('3950');
    await save();
    await page.getByText('“My galette” is saved.').waitFor();
    expect(await galette()).toMatchObject({ name: 'My galette', price: 3950, tagline: 'Of today' });
    await page.getByRole('link', { name: 'My galette' }).click();
    await page.getByLabel('Price').fill('1');
    await desk.send('PUT', '/api/admin/products/3', { price: 3800 });
    await save();
    await press('Use theirs');
    await expect.poll(() => page.getByLabel('Price').inputValue()).toBe('3800');
    await page.getByRole('link', { name: 'All products' }).click();
    await page.locator('.row-name').first().waitFor();
  });
});

it('the admin page shows hostile content as text everywhere', async () => {
  const attack = '"><img src=x onerror="document.title=1"><script>document.title=1</script>';
  const { data } = await desk.send('POST', '/api/admin/products', {
    name: attack,
    tagline: attack,
    description: attack,
    category: attack,
    features: [attack],
  });
  const news = await desk.send('POST', '/api/admin/announcements', {
    title: attack,
    content: attack,
  });
  await desk.send('PUT', '/api/admin/settings', { heroTitle: attack, heroSubtitle: attack });
  const page = await desk.open('#products');
  for (const hash of [
    '#products',
    `#products/${(data as Stored).id}`,
    '#announcements',
    `#announcements/${(news.data as Stored).id}`,
    '#shop',
  ]) {
    await page.evaluate(`location.hash = '${hash}'`);
    await page.locator('main [aria-busy="false"]').first().waitFor();
    const strangers = 'document.querySelectorAll("body script, img[onerror]").length';
    expect(await page.evaluate(strangers), hash).toBe(0);
  }
  await page.evaluate("location.hash = '#products'");
  await page.getByRole('button', { name: `Delete ${attack}` }).click();
  await page.getByRole('dialog', { name: `Delete “${attack}”?` }).waitFor();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText(`“${attack}” was deleted.`).waitFor();
  await expect.poll(() => page.title()).toBe('Products – Site admin');
  expect(desk.problems).toEqual([]);
});
