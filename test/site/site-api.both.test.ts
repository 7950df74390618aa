import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, createApiClient } from '../helpers/api-client.js';
import { startTestServer, type TestServer } from '../helpers/test-server.js';

let server: TestServer;
let api: ApiClient;

beforeAll(async () => {
  server = await startTestServer();
  api = await createApiClient(server.site);
});

afterAll(() => server.close());

beforeEach(async () => {
  for (const { id } of (await api('GET', '/api/products')).body.data) {
    await api('DELETE', `/api/admin/products/${id}`);
  }
  for (const { id } of (await api('GET', '/api/admin/announcements')).body.data) {
    await api('DELETE', `/api/admin/announcements/${id}`);
  }
});

const create = (body: unknown) => api('POST', '/api/admin/products', { body });

describe('products', () => {
  test('POST responds with 201 and fills in default values for missing fields', async () => {
    const { status, body } = await create({ name: 'Bread' });
    expect(status).toBe(201);
    expect(body).toEqual({
      ok: true,
      data: {
        id: expect.any(Number),
        name: 'Bread',
        tagline: '',
        description: '',
        price: 0,
        image: '',
        features: [],
        category: '',
        order: 1,
      },
    });
  });

  test('every field is stored unchanged', async () => {
    const fields = {
      name: ' Нан ',
      tagline: 'Warm',
      description: 'Line\nbreak <b>',
      price: 1450.5,
      image: 'https://shop.example/a.png?x=1',
      features: ['a', ''],
      category: 'Bakery',
    };
    const { data } = (await create(fields)).body;
    expect(data).toMatchObject(fields);
    expect((await api('GET', `/api/products/${data.id}`)).body).toEqual({ ok: true, data });
  });

  test('the list is sorted by `order`, which PUT can change', async () => {
    const ids = [];
    for (const name of ['a', 'b', 'c']) ids.push((await create({ name })).body.data.id);
    await api('PUT', `/api/admin/products/${ids[2]}`, { body: { order: 0 } });
    const { data } = (await api('GET', '/api/products')).body;
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['c', 'a', 'b']);
    expect((await create({ name: 'd' })).body.data.order).toBe(3);
  });

  test('PUT changes only the sent fields and returns the whole product', async () => {
    const { data } = (await create({ name: 'a', price: 5 })).body;
    const { status, body } = await api('PUT', `/api/admin/products/${data.id}`, {
      body: { id: data.id, price: 7 },
    });
    expect([status, body]).toEqual([200, { ok: true, data: { ...data, price: 7 } }]);
  });

  test('DELETE returns the ID, which is never reused', async () => {
    const { id } = (await create({ name: 'a' })).body.data;
    const { status, body } = await api('DELETE', `/api/admin/products/${id}`);
    expect([status, body]).toEqual([200, { ok: true, deleted: id }]);
    expect((await api('GET', `/api/products/${id}`)).status).toBe(404);
    expect((await create({ name: 'b' })).body.data.id).toBeGreaterThan(id);
  });

  test.each([
    ['GET', '/api/products/999999'],
    ['PUT', '/api/admin/products/999999'],
    ['DELETE', '/api/admin/products/999999'],
    ['PUT', '/api/admin/announcements/999999'],
    ['DELETE', '/api/admin/announcements/999999'],
    ['GET', '/api/products/abc'],
    ['DELETE', '/api/admin/products/1x'],
  ])('%s %s responds with not_found', async (method, path) => {
    const body =
      method === 'PUT' ? (path.includes('products') ? { name: 'x' } : { title: 'x' }) : undefined;
    const answer = await api(method, path, { body });
    expect([answer.status, answer.body.ok, answer.body.code]).toEqual([404, false, 'not_found']);
  });

  test.each<[unknown, string]>([
    [{}, '/name'],
    [{ name: '' }, '/name'],
    [{ name: ' \t ' }, '/name'],
    [{ name: 'x'.repeat(201) }, '/name'],
    [{ name: 5 }, '/name'],
    [{ name: null }, '/name'],
    [{ name: 'a', price: -1 }, '/price'],
    [{ name: 'a', price: '5' }, '/price'],
    [{ name: 'a', features: 'x' }, '/features'],
    [{ name: 'a', features: [1] }, '/features/0'],
    [{ name: 'a', features: Array(51).fill('x') }, '/features'],
    [{ name: 'a', image: 'javascript:alert(1)' }, '/image'],
    [{ name: 'a', image: '//evil.example/a.png' }, '/image'],
    [{ name: 'a', image: '/\\evil.example' }, '/image'],
    [{ name: 'a', image: 'data:image/png;base64,AA' }, '/image'],
    [{ name: 'a', order: 1 }, '/order'],
    [{ name: 'a', id: 1 }, '/id'],
    [{ name: 'a', 'a/b': 1 }, '/a~1b'],
    ['{"name":"a","price":1e999}', '/price'],
  ])('POST rejects %j with the path %s', async (fields, path) => {
    const { status, body } = await create(fields);
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });

  test('an invalid image is rejected with an explanation, and URL schemes are case-insensitive', async () => {
    const { details } = (await create({ name: 'a', image: 'loaf.png' })).body;
    expect(details[0].message).toBe(
      'must be an http or https address, or a path on this site that begins with /',
    );
    const image = 'HTTPS://shop.example/a.png';
    expect((await create({ name: 'a', image })).body.data).toMatchObject({ image });
  });

  test('all violations are reported together', async () => {
    const { details } = (await create({ price: 'x', features: 1, nonsense: true })).body;
    const paths = details.map(({ path }: { path: string }) => path).sort();
    expect(paths).toEqual(['/features', '/name', '/nonsense', '/price']);
  });

  test.each([{}, { id: 1_000_000 }, { name: '' }, { order: 'first' }, { unknown: 1 }])(
    'PUT rejects %j and changes nothing',
    async (changes) => {
      const { data } = (await create({ name: 'a' })).body;
      const { status } = await api('PUT', `/api/admin/products/${data.id}`, { body: changes });
      expect(status).toBe(400);
      expect((await api('GET', `/api/products/${data.id}`)).body.data).toEqual(data);
    },
  );

  test('values exactly at the limits are accepted', async () => {
    const fields = {
      name: '😀'.repeat(200),
      price: 0,
      features: Array(50).fill('x'),
      image: '/a.png',
    };
    expect((await create(fields)).status).toBe(201);
  });
});

describe('announcements', () => {
  const add = (body: unknown) => api('POST', '/api/admin/announcements', { body });

  test('a new announcement is active and has the current date by default', async () => {
    const { status, body } = await add({ title: 'Open' });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.any(Number),
      title: 'Open',
      date: new Date().toISOString().slice(0, 10),
      content: '',
      active: true,
    });
  });

  test('the public list contains active announcements, newest first, and the admin list contains all', async () => {
    const titles = async (path: string) =>
      (await api('GET', path)).body.data.map(({ title }: { title: string }) => title);
    await add({ title: 'old', date: '2026-01-01' });
    await add({ title: 'newest', date: '2026-03-01T10:00:00Z' });
    const hidden = (await add({ title: 'hidden', date: '2026-02-01', active: false })).body.data;
    expect(await titles('/api/announcements')).toEqual(['newest', 'old']);
    expect(await titles('/api/admin/announcements')).toEqual(['newest', 'hidden', 'old']);
    await api('PUT', `/api/admin/announcements/${hidden.id}`, { body: { active: true } });
    expect(await titles('/api/announcements')).toEqual(['newest', 'hidden', 'old']);
    await api('PUT', `/api/admin/announcements/${hidden.id}`, { body: { active: false } });
    expect(await titles('/api/announcements')).toEqual(['newest', 'old']);
  });

  test('announcements are sorted by date in every ISO 8601 form', async () => {
    const dates = [
      '2026-12-31T23:59:60Z',
      '2026-12-31T23:00:00.5+05',
      '2026-12-31T22:00:00+0500',
      '2026-12-31T21:00:00+05:00',
      '2026-12-31',
    ];
    for (const index of [3, 0, 4, 1, 2]) await add({ title: 'dated', date: dates[index] });
    const { data } = (await api('GET', '/api/announcements')).body;
    const shown = data.map(({ date }: { date: string }) => date);
    expect(shown.filter((date: string) => dates.includes(date))).toEqual(dates);
  });

  test.each<[unknown, string]>([
    [{}, '/title'],
    [{ title: '  ' }, '/title'],
    [{ title: 'a', date: 'tomorrow' }, '/date'],
    [{ title: 'a', date: '2026-02-30' }, '/date'],
    [{ title: 'a', date: '' }, '/date'],
    [{ title: 'a', active: 'yes' }, '/active'],
    [{ title: 'a', text: 'x' }, '/text'],
  ])('POST rejects %j with the path %s', async (fields, path) => {
    const { status, body } = await add(fields);
    expect(status).toBe(400);
    expect(body.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });

  test('DELETE returns the ID', async () => {
    const { id } = (await add({ title: 'a' })).body.data;
    expect((await api('DELETE', `/api/admin/announcements/${id}`)).body).toEqual({
      ok: true,
      deleted: id,
    });
  });
});

describe('settings', () => {
  test('PUT accepts partial changes and returns all settings', async () => {
    const first = await api('PUT', '/api/admin/settings', {
      body: { heroTitle: 'Hi', theme: 'dark' },
    });
    expect([first.status, first.body.data]).toEqual([
      200,
      { heroTitle: 'Hi', heroSubtitle: '', theme: 'dark' },
    ]);
    const second = await api('PUT', '/api/admin/settings', { body: { theme: 'light' } });
    expect(second.body.data).toEqual({ heroTitle: 'Hi', heroSubtitle: '', theme: 'light' });
    expect((await api('GET', '/api/settings')).body).toEqual({ ok: true, data: second.body.data });
  });

  test.each([{}, { theme: 'blue' }, { heroTitle: 1 }, { extra: 1 }, { theme: null }])(
    'PUT rejects %j',
    async (body) => {
      expect((await api('PUT', '/api/admin/settings', { body })).status).toBe(400);
    },
  );
});

test.each(['/api/products', '/api/announcements', '/api/settings'])(
  'GET %s responds with 304 until the content changes',
  async (path) => {
    const etag = (await api('GET', path)).headers.get('etag') ?? '';
    const headers = { 'If-None-Match': etag };
    expect((await api('GET', path, { headers })).status).toBe(304);
    await create({ name: 'new' });
    await api('POST', '/api/admin/announcements', { body: { title: 'new' } });
    await api('PUT', '/api/admin/settings', { body: { heroTitle: String(Math.random()) } });
    expect((await api('GET', path, { headers })).status).toBe(200);
  },
);

describe('the admin token', () => {
  test('is required by every admin endpoint and by no public one', async () => {
    const guarded = await startTestServer({ env: { MSGSITE_ADMIN_TOKEN: 'open sesame, please!' } });
    const ask = await createApiClient(guarded.site);
    const call = (token?: string) =>
      ask('POST', '/api/admin/products', { body: { name: 'a' }, ...(token ? { token } : {}) });
    expect((await call()).status).toBe(401);
    expect((await call('wrong')).body.code).toBe('unauthorized');
    expect((await call('open sesame, please!')).status).toBe(201);
    expect((await ask('GET', '/api/admin/announcements')).status).toBe(401);
    expect((await ask('PUT', '/api/admin/settings', { body: {} })).status).toBe(401);
    expect((await ask('GET', '/api/products')).status).toBe(200);
    await guarded.close();
  });
});

test('content and IDs survive a restart', async () => {
  const data = await mkdtemp(join(tmpdir(), 'msgsite-restart-'));
  const first = await startTestServer({ data });
  const before = await createApiClient(first.site);
  await before('POST', '/api/admin/products', { body: { name: 'a' } });
  await before('DELETE', '/api/admin/products/1');
  const kept = (await before('POST', '/api/admin/products', { body: { name: 'b' } })).body.data;
  await before('DELETE', `/api/admin/products/${kept.id + 1}`);
  await first.close();

  const second = await startTestServer({ data });
  const after = await createApiClient(second.site);
  expect((await after('GET', '/api/products')).body.data).toEqual([kept]);
  const { id } = (await after('POST', '/api/admin/products', { body: { name: 'c' } })).body.data;
  expect(id).toBe(kept.id + 1);
  await second.close();
});
