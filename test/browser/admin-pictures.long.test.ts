import type { FileChooser, Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { focused, lookAround, sitAtDesk } from './admin-desk.js';

const desk = sitAtDesk();

/** Creates a picture with a single color, so that all pictures differ. */
async function drawPicture(red: number): Promise<Buffer> {
  const background = { r: red, g: 120, b: 90 };
  return sharp({ create: { width: 900, height: 600, channels: 3, background } })
    .jpeg()
    .toBuffer();
}

let pictures: readonly Buffer[];
beforeAll(async () => {
  pictures = await Promise.all([10, 80, 160].map(drawPicture));
});

const address = () => desk.page.getByLabel('Picture address').inputValue();
const stored = async () =>
  ((await desk.send('GET', '/api/products/3')).data as { readonly image: string }).image;
const save = async () => {
  await desk.page.keyboard.press('Control+s');
  await desk.page.getByText('is saved.').waitFor();
};

/** Dispatches the event that the browser creates when a file is dropped or pasted. */
function give(page: Page, kind: 'drop' | 'paste', bytes: Buffer, type: string) {
  const event =
    kind === 'drop'
      ? "new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })"
      : "new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })";
  return page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), (one) => one.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], 'photo', { type: '${type}' }));
    document.querySelector('${kind === 'drop' ? '.drop' : '#name'}').dispatchEvent(${event});
  })()`);
}

/** Opens the editor and waits until it allows uploads. */
async function open() {
  const page = await desk.open('#products/3');
  await page.getByRole('button', { name: 'Choose a picture' }).waitFor();
  return page;
}

const mediaAddress = /^\/media\/[0-9a-f]{32}-800\.webp$/;

describe('the picture of a product', () => {
  it('is selected with the keyboard, previewed, and stored with the product', async () => {
    const page = await open();
    const choosers: FileChooser[] = [];
    page.on('filechooser', (chooser) => choosers.push(chooser));
    // Repeated in case the field that the editor focuses initially received the key.
    const pressed = async () => {
      await page.getByRole('button', { name: 'Choose a picture' }).press('Enter');
      return choosers.length;
    };
    await expect.poll(pressed, { interval: 2_000 }).toBeGreaterThan(0);
    await choosers[0]?.setFiles({
      name: 'galette.jpg',
      mimeType: 'image/jpeg',
      buffer: pictures[0] ?? Buffer.of(),
    });
    await page.getByText('The picture is uploaded. Save to put it on the site.').waitFor();
    expect(await address()).toMatch(mediaAddress);
    expect(await focused(page)).toBe('Choose a picture');
    const preview = page.getByRole('complementary', { name: 'Preview' }).locator('img');
    await expect.poll(() => preview.getAttribute('src')).toContain(await address());
    await lookAround(page, 1280, 'light');
    const wanted = await address();
    await save();
    expect(await stored()).toBe(wanted);
    expect((await fetch(desk.server.site + wanted)).headers.get('content-type')).toBe('image/webp');
    expect(desk.problems).toEqual([]);
  });

  it('can be dropped, pasted and removed', async () => {
    const page = await open();
    await give(page, 'drop', pictures[1] ?? Buffer.of(), 'image/jpeg');
    await expect.poll(address).toMatch(mediaAddress);
    const dropped = await address();
    await give(page, 'paste', pictures[2] ?? Buffer.of(), 'image/jpeg');
    await expect.poll(address).not.toBe(dropped);
    expect(await address()).toMatch(mediaAddress);
    await page.getByRole('button', { name: 'Remove picture' }).press('Enter');
    expect(await address()).toBe('');
    expect(await focused(page)).toBe('Choose a picture');
    await save();
    expect(await stored()).toBe('');
  });

  it.each([
    {
      name: 'a file of a different type',
      bytes: Buffer.from('%PDF-1.7'),
      type: 'application/pdf',
      said: 'This file is not a JPEG, PNG or WebP picture.',
    },
    {
      name: 'content that does not match the type',
      bytes: Buffer.from('GIF89a and so on'),
      type: 'image/png',
      said: 'The content of this file is not a JPEG, PNG or WebP',
    },
    {
      name: 'a file larger than 5 MB',
      bytes: Buffer.alloc(5 * 1024 * 1024 + 1, 0xff),
      type: 'image/jpeg',
      said: 'at most 5 MB are allowed',
    },
  ])('is rejected with an explanation for $name', async ({ bytes, type, said }) => {
    const page = await open();
    await give(page, 'drop', bytes, type);
    await page.getByRole('alert').getByText(said).waitFor();
    expect(await address()).toBe('/demo/galette.svg');
  });

  it('is entered as an address if the server does not accept uploads', async () => {
    const page = await desk.open('#products/3', (tab) =>
      tab.route('**/api/admin/images', (route) =>
        route.fulfill({
          json: { ok: true, data: { available: false, mostBytes: 5_242_880, types: [] } },
        }),
      ),
    );
    await page.getByText('This server does not accept pictures at the moment').waitFor();
    expect(await page.getByRole('button', { name: 'Choose a picture' }).isVisible()).toBe(false);
    await page.getByLabel('Picture address').fill('/demo/piala.svg');
    await save();
    expect(await stored()).toBe('/demo/piala.svg');
  });

  it('can be cancelled during the upload, and a lost connection is reported', async () => {
    const page = await open();
    await page.route('**/api/admin/images', () => undefined);
    await give(page, 'drop', pictures[0] ?? Buffer.of(), 'image/jpeg');
    await page.getByRole('button', { name: 'Stop the upload' }).click();
    await page.getByText('The upload was stopped.').waitFor();
    await page.unrouteAll();
    await page.route('**/api/admin/images', (route) => route.abort());
    await give(page, 'drop', pictures[0] ?? Buffer.of(), 'image/jpeg');
    await page.getByText('The server cannot be reached.').waitFor();
    expect(await address()).toBe('/demo/galette.svg');
  });
});
