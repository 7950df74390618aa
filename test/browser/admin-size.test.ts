import { describe, expect, it } from 'vitest';
import { sitAtDesk } from './admin-desk.js';
import { walks } from './admin-words.js';

const desk = sitAtDesk({}, async () => {});

describe.each(walks)('the size of the admin page in $lang', ({ locale }) => {
  it('is below 35 kB of HTML, styles and code for one language', async () => {
    // A new context has an empty cache.
    const browser = desk.browser;
    const context = await browser.newContext({ locale });
    const page = await context.newPage();
    const sent: Promise<number>[] = [];
    page.on('requestfinished', (request) => {
      if (!/\.(html|js|css)$/.test(request.url())) return;
      sent.push(request.sizes().then((sizes) => sizes.responseBodySize));
    });
    await page.goto(`${desk.server.site}/admin.html`);
    await page.getByText('Linen table runner').first().waitFor();
    await page.waitForLoadState('networkidle');
    const weight = (await Promise.all(sent)).reduce((sum, size) => sum + size, 0);
    await context.close();
    expect(sent.length).toBeGreaterThan(4);
    expect(weight).toBeGreaterThan(15_000);
    expect(weight).toBeLessThan(35_000);
  });
});
