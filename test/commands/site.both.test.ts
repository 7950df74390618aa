import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { createApiClient } from '../helpers/api-client.js';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { createTestDatabase } from '../helpers/test-database.js';
import { startTestServer } from '../helpers/test-server.js';

/** Creates a site with data, and a command line for it. */
async function createSiteCli() {
  const cwd = await makeTempFolder();
  const data = join(cwd, 'data');
  const database = inject('postgres') ? { MSGSITE_DATABASE: await createTestDatabase() } : {};
  const env = { HOME: cwd, MSGSITE_DATA: data, ...database };
  const serve = () => startTestServer({ data, only: 'site', env: database });
  await (await serve()).close();
  const run = (words: string, stdin?: string) =>
    runCli(['site', ...words.split(' ')], { cwd, env, ...(stdin === undefined ? {} : { stdin }) });
  return { cwd, env, serve, run };
}

it('site import reads products from a file or standard input, and site export prints them', async () => {
  const { cwd, env, run, serve } = await createSiteCli();
  await writeFile(join(cwd, 'products.csv'), 'name;price\nНан;1 450,50\n=1+1;5\n');
  const trial = await run('import products.csv --dry-run');
  expect([trial.exitCode, trial.stdout]).toEqual([
    0,
    'Dry run: 2 created, 0 changed, 0 unchanged. Nothing was changed.\n',
  ]);
  const done = await run('import products.csv --json');
  expect(JSON.parse(done.stdout)).toEqual({ created: 2, changed: 0, unchanged: 0, dryRun: false });
  const { exitCode, stdout } = await run('export');
  expect([exitCode, stdout]).toEqual([
    0,
    "id,name,tagline,description,price,category,features,image\r\n1,Нан,,,1450.5,,,\r\n2,'=1+1,,,5,,,\r\n",
  ]);
  expect((await run('import -', stdout)).stdout).toBe(
    'Products: 0 created, 0 changed, 2 unchanged.\n',
  );
  const written = await run('export --output out.csv');
  expect([written.exitCode, await readFile(join(cwd, 'out.csv'), 'utf8')]).toEqual([0, stdout]);
  expect((await run('export --json')).exitCode).toBe(2);
  const audit = await runCli(['audit', '--json'], { env });
  const lines: readonly { who: string; kind: string; ids: object }[] = JSON.parse(
    audit.stdout,
  ).lines;
  expect(lines.map(({ who, kind, ids }) => [who, kind, ids])).toEqual([
    ['operator', 'settings', { products: '2 created, 0 changed', change: 'imported' }],
    ['operator', 'settings', { products: '0 created, 0 changed', change: 'imported' }],
  ]);
  const server = await serve();
  const api = await createApiClient(server.site);
  expect((await api('GET', '/api/products')).body.data).toMatchObject([
    { id: 1, name: 'Нан', price: 1450.5, order: 1 },
    { id: 2, name: '=1+1', price: 5, order: 2 },
  ]);
  await server.close();
});

it('site import lists all errors by line and column, exits with 1 and changes nothing', async () => {
  const { run } = await createSiteCli();
  const csv = 'id,name,price\n,a,1\n7,b,1\n,,x\n';
  const { exitCode, stderr, stdout } = await run('import -', csv);
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toContain('Nothing was changed');
  expect(stderr).toContain('/line/3/id: is not the ID of a product');
  expect(stderr).toContain('/line/4/price: must be a number such as 1850');
  expect(stderr).toContain('/line/4/name: must not be empty');
  expect((await run('export')).stdout.split('\r\n')).toHaveLength(2);
  const json = await run('import - --json', 'prise\n1\n');
  expect([json.exitCode, JSON.parse(json.stdout)]).toMatchObject([
    1,
    { code: 'validation_failed', details: [{ path: '/line/1/prise' }] },
  ]);
  const missing = await run('import nowhere.csv');
  expect([missing.exitCode, missing.stderr]).toEqual([
    2,
    expect.stringContaining('does not exist'),
  ]);
});

it('site import and export work alongside a server with a database, and refer to the admin page with files', async () => {
  const { run, serve } = await createSiteCli();
  const server = await serve();
  onTestFinished(() => server.close());
  const api = await createApiClient(server.site);
  const outcomes = [await run('import -', 'name\na\n'), await run('export')];
  const isFiles = !inject('postgres');
  expect(outcomes.map(({ exitCode }) => exitCode)).toEqual(isFiles ? [1, 1] : [0, 0]);
  if (isFiles) for (const { stderr } of outcomes) expect(stderr).toContain('/admin.html#products');
  // Changes of a different process are visible immediately with notifications, otherwise within a second.
  const names = async () =>
    (await api('GET', '/api/products')).body.data.map(({ name }: { name: string }) => name);
  await expect.poll(names, { timeout: 10_000 }).toEqual(isFiles ? [] : ['a']);
});
