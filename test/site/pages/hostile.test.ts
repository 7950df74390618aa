import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiClient } from '../../helpers/api-client.js';
import { startTestServer, type TestServer } from '../../helpers/test-server.js';
import { findHtmlFaults } from './html-rules.js';
import { headOf, structuredDataOf } from './page-facts.js';

let server: TestServer;
const attack = `"'></title></script><script>alert(1)</script><img src=x onerror=alert(1)>&lt;`;

beforeAll(async () => {
  server = await startTestServer({ only: 'site' });
  const api = await createApiClient(server.site);
  const text = { name: attack, tagline: attack, description: attack, category: attack };
  for (const image of ['', `https://example.com/?a=${encodeURIComponent(attack)}&b='`]) {
    const body = { ...text, image, price: 5, features: [attack] };
    await api('POST', '/api/admin/products', { body });
  }
  await api('POST', '/api/admin/products', { body: { name: 'Other', category: 'B' } });
  const announcement = { title: attack, content: attack };
  await api('POST', '/api/admin/announcements', { body: announcement });
  const settings = { heroTitle: attack, heroSubtitle: attack };
  await api('PUT', '/api/admin/settings', { body: settings });
  const shop = { name: attack, address: attack, hours: attack };
  const answer = await api('PUT', '/api/admin/shop', { body: shop });
  expect(answer.status).toBe(200);
});

afterAll(() => server?.close());

describe('texts of owners and visitors', () => {
  test.each([
    '/',
    '/products/1',
    '/products/2?lang=kk',
    `/?category=${encodeURIComponent(attack)}`,
    `/?q=${encodeURIComponent(attack)}&lang=ru`,
    `/?lang=${encodeURIComponent(attack)}`,
    `/${encodeURIComponent(attack)}?lang=${encodeURIComponent(attack)}`,
  ])('are escaped at %s', async (path) => {
    const headers = { Accept: 'text/html', 'Accept-Language': attack, Cookie: `lang=${attack}` };
    const page = await (await fetch(server.site + path, { headers })).text();
    const scripts = [...page.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
    expect(
      scripts.filter(
        (tag) => !/^<script type="(?:module" src="\/app\.js|application\/ld\+json)">$/.test(tag),
      ),
    ).toEqual([]);
    expect(page).not.toContain('<img src=x');
    expect(await findHtmlFaults(page)).toEqual([]);
    expect(headOf(page).title).toContain(attack);
    const data = structuredDataOf(page);
    if (data) expect(data.name).toBe(attack);
  });
});
