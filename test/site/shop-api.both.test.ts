import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, createApiClient } from '../helpers/api-client.js';
import { startTestServer, type TestServer } from '../helpers/test-server.js';

let server: TestServer;
let api: ApiClient;

beforeAll(async () => {
  server = await startTestServer({ only: 'site' });
  api = await createApiClient(server.site);
});

afterAll(() => server.close());

const empty = {
  name: '',
  phone: '',
  whatsapp: '',
  address: '',
  hours: '',
  language: 'en',
  map: '',
};
const putShop = (body: unknown, headers = {}) => api('PUT', '/api/admin/shop', { body, headers });
const etagOf = ({ headers }: { readonly headers: Headers }) => headers.get('etag') ?? '';

describe("the shop's details", () => {
  test('are empty initially, accept partial changes, and are returned in full', async () => {
    const first = await api('GET', '/api/shop');
    expect([first.status, first.body]).toEqual([200, { ok: true, data: empty }]);
    const card = {
      name: 'Nan & Örik',
      phone: '+7 701 123 45 67',
      whatsapp: '8 (701) 123-45-67',
      address: 'Алматы, Абай к-сі 1',
      hours: 'Mo-Su 09:00-18:00',
      map: 'https://2gis.kz/almaty/geo/1',
    };
    const changed = await putShop(card);
    expect([changed.status, changed.body.data]).toEqual([200, { ...empty, ...card }]);
    const second = await putShop({ language: 'kk', whatsapp: 'https://wa.me/77011234567' });
    const { body } = await api('GET', '/api/shop', { headers: { 'If-None-Match': etagOf(first) } });
    expect(body).toEqual(second.body);
    expect(body.data).toMatchObject({ language: 'kk', whatsapp: 'https://wa.me/77011234567' });
    await putShop(empty);
  });

  test.each<[unknown, string]>([
    [{}, ''],
    [{ name: 5 }, '/name'],
    [{ name: 'x'.repeat(201) }, '/name'],
    [{ phone: 'call me' }, '/phone'],
    [{ phone: '()' }, '/phone'],
    [{ phone: '1'.repeat(41) }, '/phone'],
    [{ whatsapp: 'https://evil.example/1' }, '/whatsapp'],
    [{ address: null }, '/address'],
    [{ hours: 'x'.repeat(501) }, '/hours'],
    [{ language: 'de' }, '/language'],
    [{ language: '' }, '/language'],
    [{ map: 'javascript:alert(1)' }, '/map'],
    [{ map: '/map' }, '/map'],
    [{ colour: 'red' }, '/colour'],
  ])('reject PUT %j with the path "%s"', async (body, path) => {
    const answer = await putShop(body);
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
    expect(answer.body.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });
});

interface Case {
  readonly what: string;
  /** Creates an item. Returns the paths for reading and changing it, and the ETag of the creation. */
  make(): Promise<{ read: string; change: string; etag: string }>;
  change(text: string): object;
}

const created = async (kind: string, body: object, read: string) => {
  const answer = await api('POST', `/api/admin/${kind}`, { body });
  expect(answer.status).toBe(201);
  const { id } = answer.body.data;
  return { read: `${read}/${id}`, change: `/api/admin/${kind}/${id}`, etag: etagOf(answer) };
};
const single = async (name: string) => {
  const read = `/api/${name}`;
  return { read, change: `/api/admin/${name}`, etag: etagOf(await api('GET', read)) };
};
const cases: readonly Case[] = [
  {
    what: 'a product',
    make: () => created('products', { name: 'a' }, '/api/products'),
    change: (name) => ({ name }),
  },
  {
    what: 'an announcement',
    make: () => created('announcements', { title: 'a' }, '/api/admin/announcements'),
    change: (title) => ({ title, active: false }),
  },
  { what: 'the settings', make: () => single('settings'), change: (heroTitle) => ({ heroTitle }) },
  { what: 'the shop', make: () => single('shop'), change: (name) => ({ name }) },
];

describe.each(cases)('If-Match on $what', ({ make, change }) => {
  test('accepts the ETag of a creation, a read and a change', async () => {
    const { read, change: path, etag } = await make();
    expect(etag).toMatch(/^"[^"]+"$/);
    expect(etagOf(await api('GET', read))).toBe(etag);
    const put = (body: object, ifMatch: string) =>
      api('PUT', path, { body, headers: { 'If-Match': ifMatch } });
    const first = await put(change('one'), etag);
    expect(first.status).toBe(200);
    expect(etagOf(await api('GET', read))).toBe(etagOf(first));
    const second = await put(change('two'), `"other", ${etagOf(first).replace(/"$/, '-br"')}`);
    expect(second.status).toBe(200);
    const late = await put(change('late'), etag);
    expect([late.status, late.body.code]).toEqual([412, 'precondition_failed']);
    expect(etagOf(late)).toBe(etagOf(second));
    expect((await api('GET', read)).body).toEqual(second.body);
    expect((await put(change('three'), '*')).status).toBe(200);
    expect((await put(change('four'), `W/${etagOf(second)}`)).status).toBe(412);
  });

  test('accepts only one of several concurrent changes with the same ETag', async () => {
    const { read, change: path } = await make();
    const headers = { 'If-Match': etagOf(await api('GET', read)) };
    const answers = await Promise.all(
      ['a1', 'b1', 'c1', 'd1'].map((text) => api('PUT', path, { body: change(text), headers })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
    const winner = answers.find(({ status }) => status === 200);
    expect((await api('GET', read)).body).toEqual(winner?.body);
  });
});

test('equal content has the same ETag, and a change ignores If-None-Match', async () => {
  const { change, etag } = await created('products', { name: 'a', price: 1 }, '/api/products');
  await api('PUT', change, { body: { price: 2, name: 'b' } });
  const headers = { 'If-None-Match': etag };
  const back = await api('PUT', change, { body: { name: 'a', price: 1 }, headers });
  expect([back.status, etagOf(back)]).toEqual([200, etag]);
});

test('changing a deleted product returns 404, even with If-Match', async () => {
  const { change, etag } = await created('products', { name: 'a' }, '/api/products');
  await api('DELETE', change);
  const answer = await api('PUT', change, { body: { name: 'b' }, headers: { 'If-Match': etag } });
  expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
});

test('the admin API returns an inactive announcement', async () => {
  const body = { title: 'a', active: false };
  const { read } = await created('announcements', body, '/api/admin/announcements');
  const answer = await api('GET', read);
  expect([answer.status, answer.body.data]).toMatchObject([200, body]);
  const headers = { 'If-None-Match': etagOf(answer) };
  expect((await api('GET', read, { headers })).status).toBe(304);
  expect((await api('GET', '/api/admin/announcements/999999')).status).toBe(404);
});

type Id = number | string;

describe.each([
  [
    'products',
    'name',
    '/api/products',
    (id: Id) => api('POST', `/api/admin/products/${id}/restore`),
  ],
  [
    'announcements',
    'title',
    '/api/announcements',
    (id: Id) => api('POST', `/api/admin/announcements/${id}/restore`),
  ],
])('restoring %s', (kind, title, list, restore) => {
  const add = async (text: string) =>
    (await api('POST', `/api/admin/${kind}`, { body: { [title]: text } })).body.data;

  test('returns a deleted item to its previous position', async () => {
    const things = [await add('first'), await add('second'), await add('third')];
    const before = (await api('GET', list)).body;
    const { id } = things[1];
    await api('DELETE', `/api/admin/${kind}/${id}`);
    expect((await api('GET', list)).body.data).not.toContainEqual(things[1]);
    expect((await api('DELETE', `/api/admin/${kind}/${id}`)).status).toBe(404);
    const answer = await restore(id);
    expect([answer.status, answer.body]).toEqual([200, { ok: true, data: things[1] }]);
    expect((await api('GET', list)).body).toEqual(before);
    const etag = { 'If-Match': etagOf(answer) };
    const change = { body: { [title]: 'again' }, headers: etag };
    expect((await api('PUT', `/api/admin/${kind}/${id}`, change)).status).toBe(200);
  });

  test('responds with 409 for an item that is not deleted, and with 404 for an unknown ID', async () => {
    const { id } = await add('here');
    const there = await restore(id);
    expect([there.status, there.body.code]).toEqual([409, 'conflict']);
    const never = await restore(999_999);
    expect([never.status, never.body.code]).toEqual([404, 'not_found']);
    expect((await restore('x')).status).toBe(404);
  });
});
