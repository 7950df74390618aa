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

const importCsv = (body: string, query = '', type = 'text/csv; charset=utf-8') =>
  api('POST', `/api/admin/products/import${query}`, { body, headers: { 'Content-Type': type } });
const list = async () => (await api('GET', '/api/products')).body.data;
const exported = async () => {
  const answer = await fetch(`${server.site}/api/admin/products.csv`);
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toContain('products.csv');
  return Buffer.from(await answer.arrayBuffer()).toString('utf8');
};

describe('products as CSV over HTTP', () => {
  test('are added in order and changed by one import, and a dry run changes nothing', async () => {
    const csv = 'name;price;features\nНан;1 450,50;тёплый|fresh\n=1+1;5;\n';
    const trial = await importCsv(csv, '?dryRun=true');
    expect([trial.status, trial.body.data]).toEqual([
      200,
      { created: 2, changed: 0, unchanged: 0 },
    ]);
    expect(await list()).toEqual([]);
    const before = (await api('GET', '/api/products')).headers.get('etag') ?? '';
    expect((await importCsv(csv)).body.data).toEqual({ created: 2, changed: 0, unchanged: 0 });
    const made = await list();
    expect(made).toMatchObject([
      { name: 'Нан', price: 1450.5, features: ['тёплый', 'fresh'], order: 1 },
      { name: '=1+1', price: 5, features: [], order: 2 },
    ]);
    const headers = { 'If-None-Match': before };
    expect((await api('GET', '/api/products', { headers })).status).toBe(200);
    const text = await exported();
    expect(text).toContain("'=1+1");
    expect((await importCsv(text)).body.data).toEqual({ created: 0, changed: 0, unchanged: 2 });
    expect(await list()).toEqual(made);
    const next = `id,price\n${made[1].id},6\n${made[0].id},1450.5\n`;
    expect((await importCsv(next)).body.data).toEqual({ created: 0, changed: 1, unchanged: 1 });
    expect(await list()).toEqual([made[0], { ...made[1], price: 6 }]);
  });

  test('are not changed by a file with errors, and all errors are reported', async () => {
    const before = await list();
    const { id } = before[0];
    const csv = `id,name,price\n${id},changed,1\n999999,x,1\n,new,free\n,,1\n`;
    for (const query of ['', '?dryRun=true']) {
      const { status, body } = await importCsv(csv, query);
      expect([status, body.code]).toEqual([400, 'validation_failed']);
      expect(body.details.map(({ path }: { path: string }) => path)).toEqual([
        '/line/3/id',
        '/line/4/price',
        '/line/5/name',
      ]);
    }
    expect(await list()).toEqual(before);
  });

  test('are added in order by an import of more than one batch', async () => {
    const names = Array.from({ length: 1_100 }, (_, index) => `n${index}`);
    const { body } = await importCsv(`name\n${names.join('\n')}\n`);
    expect(body.data.created).toBe(names.length);
    const made = (await list()).slice(-names.length);
    expect(made.map(({ name }: { name: string }) => name)).toEqual(names);
    const changed = `id,category\n${made.map(({ id }: { id: number }) => `${id},c`).join('\n')}`;
    expect((await importCsv(changed)).body.data.changed).toBe(names.length);
    expect(
      new Set((await list()).slice(-names.length).map((one: { category: string }) => one.category)),
    ).toEqual(new Set(['c']));
  });

  test('are imported only from CSV of at most 5 MB', async () => {
    for (const type of ['text/plain', 'application/json', '']) {
      const answer = await importCsv('name\na\n', '', type);
      expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type']);
    }
    expect((await importCsv('a'.repeat(5 * 1024 * 1024 + 1))).status).toBe(413);
    expect((await importCsv('name\na\n', '?dryRun=yes')).status).toBe(400);
  });

  test('require the admin token if it is set', async () => {
    const guarded = await startTestServer({
      only: 'site',
      env: { MSGSITE_ADMIN_TOKEN: 'open sesame, please!' },
    });
    const headers = { 'Content-Type': 'text/csv' };
    const answers = await Promise.all([
      fetch(`${guarded.site}/api/admin/products.csv`),
      fetch(`${guarded.site}/api/admin/products/import`, {
        method: 'POST',
        headers,
        body: 'name\na',
      }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    await guarded.close();
  });
});
