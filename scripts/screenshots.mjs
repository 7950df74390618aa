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
  { name: 'product', path: '/#product-3' },
  { name: 'admin', path: '/admin.html' },
  { name: 'admin-product', path: '/admin.html#products/3' },
  { name: 'admin-announcements', path: '/admin.html#announcements' },
  { name: 'admin-settings', path: '/admin.html#settings' },
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
    for (const { name, path } of pages) {
      const file = join(folder, `${name}-${size}-${theme}.png`);
      await takePicture({ path, viewport, theme, file });
      console.log(file);
    }
  }
}
await browser.close();

async function takePicture({ path, viewport, theme, file }) {
  const context = await browser.newContext({
    viewport,
    colorScheme: theme,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  // The public page follows the site's own theme, so the picture answers with the one it is for.
  await page.route('**/api/settings', async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    await route.fulfill({ response, json: { ...answer, data: { ...answer.data, theme } } });
  });
  await page.goto(new URL(path, url).href, { waitUntil: 'networkidle' });
  await page.screenshot({ path: file });
  await context.close();
}
