// Takes the documentation's pictures of the two pages from a running demo server:
//   node scripts/screenshots.mjs http://127.0.0.1:3000 [folder]
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { chromium as playwright } from 'playwright-core';

const [url, folder = 'docs/images'] = process.argv.slice(2);
if (!url) {
  console.error('Give the address of a server started with --demo.');
  process.exit(2);
}

const pages = [
  { name: 'site', path: '/' },
  { name: 'product', path: '/products/3' },
  // A cashier is signed in (msgsite pay login) where the picture is to show the dialog.
  { name: 'pay-dialog', path: '/products/3', reach: openDialog },
  { name: 'admin', path: '/admin.html' },
  { name: 'admin-product', path: '/admin.html#products/3' },
  { name: 'admin-orders', path: '/admin.html#orders' },
  { name: 'admin-shop', path: '/admin.html#shop' },
  { name: 'admin-announcements', path: '/admin.html#announcements' },
  { name: 'admin-settings', path: '/admin.html#settings' },
  { name: 'chat', path: '/chat.html#sign-in', reach: openChat },
];
const sizes = [
  { size: 'desktop', viewport: { width: 1280, height: 820 } },
  { size: 'phone', viewport: { width: 360, height: 740 } },
];

await mkdir(folder, { recursive: true });
const browser = await playwright.launch({
  executablePath: await chromium.executablePath(),
  args: ['--no-sandbox', '--disable-gpu'],
});
for (const { size, viewport } of sizes) {
  for (const theme of ['light', 'dark']) {
    for (const { name, path, reach } of pages) {
      const file = join(folder, `${name}-${size}-${theme}.png`);
      await takePicture({ path, reach, viewport, theme, file });
      console.log(file);
    }
  }
}
await browser.close();

async function takePicture({ path, reach = () => {}, viewport, theme, file }) {
  const context = await browser.newContext({
    viewport,
    colorScheme: theme,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  // The public pages have the site's own theme, so the picture is given the one it is for.
  await page.addInitScript((own) => {
    addEventListener('DOMContentLoaded', () => {
      document.documentElement.dataset.theme = own;
    });
  }, theme);
  await page.goto(new URL(path, url).href, { waitUntil: 'networkidle' });
  await reach(page);
  await page.screenshot({ path: file });
  await context.close();
}

/** The dialog in front of a product, where somebody takes payments. */
async function openDialog(page) {
  const buy = page.locator('#buy button[type=submit]');
  if ((await buy.count()) === 0) return;
  await buy.click();
  await page.locator('dialog[open] [data-status=pending] img').waitFor();
}

/** As one of the demonstration's people, in a private chat. */
async function openChat(page) {
  await page.locator('input[type=email]').fill('dana@demo.example');
  await page.locator('input[type=password]').fill('warm bread at seven');
  await page.locator('button[type=submit]').click();
  await page.getByText('Aigerim Sadykova').first().click();
  await page.getByText('They are out of the kiln.').waitFor();
  await page.waitForLoadState('networkidle');
}
