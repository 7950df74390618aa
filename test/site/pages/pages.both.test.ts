import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageSize } from '../../../src/site/pages/catalogue.js';
import { type ApiClient, createApiClient } from '../../helpers/api-client.js';
import { startTestServer, type TestServer } from '../../helpers/test-server.js';
import { headingsOf } from './page-facts.js';

let server: TestServer;
let api: ApiClient;

beforeAll(async () => {
  server = await startTestServer({ only: 'site' });
  api = await createApiClient(server.site);
});

afterAll(() => server?.close());

function ask(path: string, headers: Readonly<Record<string, string>> = {}) {
  return fetch(server.site + path, { headers: { Accept: 'text/html', ...headers } });
}

const read = async (path: string) => (await ask(path)).text();

describe('a cached page', () => {
  test('shows every change immediately', async () => {
    const { body } = await api('POST', '/api/admin/products', {
      body: { name: 'Piala', price: 5 },
    });
    const path = `/products/${body.data.id}`;
    expect(headingsOf(await read(path), 1)).toEqual(['Piala']);
    const etag = (await ask('/')).headers.get('etag') ?? '';

    await api('PUT', `/api/admin${path}`, { body: { name: 'Bowl', price: 7 } });
    expect(headingsOf(await read(path), 1)).toEqual(['Bowl']);
    const home = await ask('/', { 'If-None-Match': etag });
    expect(home.status).toBe(200);
    expect(headingsOf(await home.text(), 3)).toContain('Bowl');

    await api('PUT', '/api/admin/settings', { body: { theme: 'dark', heroTitle: 'Dark' } });
    expect(await read(path)).toContain('data-theme="dark"');
    await api('PUT', '/api/admin/shop', { body: { phone: '+7 701 000 00 00' } });
    expect(await read(path)).toContain('tel:+77010000000');
    const news = { title: 'We are closed', date: '2026-11-01' };
    await api('POST', '/api/admin/announcements', { body: news });
    expect(headingsOf(await read('/'), 3)).toContain('We are closed');

    await api('DELETE', `/api/admin${path}`);
    expect((await ask(path)).status).toBe(404);
    expect(await read('/sitemap.xml')).not.toContain(path);
  });

  test.each(['/', '/products/'])('at %s equals an uncached response', async (start) => {
    const { body } = await api('POST', '/api/admin/products', { body: { name: 'Piala' } });
    const path = start === '/' ? start : start + body.data.id;
    const kk = { 'Accept-Language': 'kk', 'Accept-Encoding': 'identity' };
    const answerOf = async (address: string, headers: Readonly<Record<string, string>>) => {
      const answer = await ask(address, headers);
      const { 'x-request-id': _id, date: _date, ...kept } = Object.fromEntries(answer.headers);
      return { status: answer.status, headers: kept, text: await answer.text() };
    };
    const first = await answerOf(path, kk);
    expect(first.text).toContain('<html lang="kk"');
    // An empty query bypasses the cache.
    for (const address of [path, `${path}?`]) expect(await answerOf(address, kk)).toEqual(first);
    const cookie = { ...kk, Cookie: 'lang=ru', 'Accept-Encoding': 'br' };
    const russian = [await answerOf(path, cookie), await answerOf(path, cookie)];
    expect(russian[1]).toEqual(russian[0]);
    expect(russian[0]?.text).toContain('<html lang="ru"');
    const etag = first.headers.etag ?? '';
    expect((await ask(path, { ...kk, 'If-None-Match': etag })).status).toBe(304);
    expect(
      (await fetch(server.site + path, { method: 'HEAD', headers: kk })).headers.get('etag'),
    ).toBe(etag);
  });

  test('links to all products in order across the catalogue pages', async () => {
    const names = Array.from({ length: pageSize * 2 + 5 }, (_, index) => `Product ${index}`);
    for (const name of names) await api('POST', '/api/admin/products', { body: { name } });
    const seen: string[] = [];
    let path: string | undefined = '/?lang=en';
    while (path) {
      const page: string = await read(path);
      seen.push(...headingsOf(page, 3).filter((name) => name.startsWith('Product')));
      path = /rel="next" href="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&');
      expect(path ?? '&lang=en').toContain('lang=en');
    }
    expect(seen).toEqual(names);
  });
});
