import { describe, expect, it } from 'vitest';
import { sitAtDesk } from './admin-desk.js';

const desk = sitAtDesk({}, async () => {});

describe('the size of the admin page', () => {
  it('is below 35 kB of code and styles', async () => {
    // The first test of the file: nothing is in the browser's cache yet.
    const sent: Promise<number>[] = [];
    const page = await desk.open('', (tab) =>
      tab.on('requestfinished', (request) => {
        if (!/\.(js|css)$/.test(request.url())) return;
        sent.push(request.sizes().then((sizes) => sizes.responseBodySize));
      }),
    );
    await page.getByText('Linen table runner').first().waitFor();
    await page.waitForLoadState('networkidle');
    const weight = (await Promise.all(sent)).reduce((sum, size) => sum + size, 0);
    expect(weight).toBeGreaterThan(15_000);
    expect(weight).toBeLessThan(35_000);
  });
});
