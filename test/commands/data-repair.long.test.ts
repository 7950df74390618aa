import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { openJsonPaymentStores } from '../../src/payments/store-json/open.js';
import { makeUsedFolder } from '../damage/used-folder.js';
import { createApiClient } from '../helpers/api-client.js';
import { verifyJsonFiles } from '../helpers/json-files.js';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { startTestServer } from '../helpers/test-server.js';
import { intent, payment, refund } from '../payments/money-samples.js';

const env = { MSGSITE_DATABASE: '' };
let root: string;
let used: string;

/** Creates a data folder with records of every kind. */
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'msgsite-'));
  used = (await makeUsedFolder(root)).data;
  await verifyJsonFiles(used);
  // A clean stop moves the messages to the logs of their chats.
  await (await startTestServer({ data: used, env })).close();
  const folder = join(used, 'payments');
  const stores = await openJsonPaymentStores({ folder, clock: systemClock, onDamaged() {} });
  await stores.payments.add(
    payment('901', { state: 'unknown', reason: 'no_answer', endedAt: Date.now() }),
  );
  await stores.intents.add(intent('1'));
  await stores.intents.add(intent('2', { state: 'adopted', closedAt: Date.now() }));
  await stores.refunds.put(refund('3'));
  await stores.close();
});
afterAll(() => rm(root, { recursive: true }));

async function copy(): Promise<{ data: string; files: readonly string[] }> {
  const data = join(await makeTempFolder(), 'data');
  await cp(used, data, { recursive: true });
  return { data, files: await readdir(data, { recursive: true }) };
}

const run = async (data: string, ...more: string[]) => {
  const { exitCode, stdout } = await runCli(['data', 'check', '--data', data, '--json', ...more]);
  return { exitCode, ...JSON.parse(stdout) };
};

it.each<[RegExp, RegExp?]>([
  [/^format\.json$/, /format 6/],
  [/^secrets\.json$/, /All tokens and cashier sessions have ended/],
  [/^site\.jsonl$/],
  [/^messaging\/users\.snapshot\.jsonl$/],
  [/^payments\/open\/.*\.jsonl$/],
  [/^payments\/ended\/\d.*\.jsonl$/, /restored from .*by-id/],
  [/^payments\/ended\/by-id\/.*\.jsonl$/, /restored from .*ended\/\d/],
  [/^payments\/unknown\/.*\.jsonl$/],
  [/^payments\/sessions\/kept\/.*\.jsonl$/],
  [/^payments\/intents\/in_doubt\/.*\.jsonl$/],
  [/^payments\/intents\/adopted\/.*\.jsonl$/],
  [/^payments\/refunds\/kept\/\d.*\.jsonl$/, /restored from .*by-id/],
  [/^payments\/refunds\/kept\/by-id\/.*\.jsonl$/, /restored from .*kept\/\d/],
  [/^payments\/idempotency\/kept\/.*\.jsonl$/],
  [/^webhooks\/delivered\/.*\.jsonl$/],
  [/^sandbox\/operations\/kept\/.*\.jsonl$/],
])(
  'data check --repair sets aside a damaged %s and reports it, and the server can use the rest',
  async (pattern, repair = /set aside/) => {
    const { data, files } = await copy();
    const name = files.find((each) => pattern.test(each)) ?? 'none';
    const path = join(data, name);
    const bytes = await readFile(path);
    bytes.fill(0, 5, Math.min(15, bytes.length));
    await writeFile(path, bytes);

    const found = await run(data);
    expect([found.exitCode, found.ok]).toEqual([1, false]);
    expect(found.findings).toContainEqual(
      expect.objectContaining({ severity: 'error', file: path, line: 1 }),
    );
    const repaired = await run(data, '--repair');
    const words = repaired.repairs.map(({ message }: { message: string }) => message).join('\n');
    expect(words).toMatch(repair);
    expect(repaired).toMatchObject({ exitCode: 0, ok: true, findings: [] });
    const kept = (await readdir(join(data, 'damaged'), { recursive: true })).filter((each) =>
      each.startsWith(name),
    );
    expect(kept).toEqual([`${name}.1`]);
    expect(bytes.includes(await readFile(join(data, 'damaged', `${name}.1`)).then(trimmed))).toBe(
      true,
    );

    expect((await run(data, '--repair')).repairs).toEqual([]);
    await (await startTestServer({ data, env })).close();
  },
);

/** Removes the final line feed, because only the damaged line of a file is set aside. */
const trimmed = (bytes: Buffer) => (bytes.at(-1) === 10 ? bytes.subarray(0, -1) : bytes);

it('serve sets aside a damaged beginning of the journal and uses the rest', async () => {
  const { data, files } = await copy();
  const name =
    files.find((each) => /^messaging\/messages\/journal\.\d+\.jsonl$/.test(each)) ?? 'none';
  const bytes = await readFile(join(data, name));
  await writeFile(join(data, name), bytes.fill(0, 0, 20));
  await (await startTestServer({ data, env })).close();
  expect(await readdir(join(data, 'damaged'), { recursive: true })).toContain(`${name}.1`);
  expect(await run(data)).toMatchObject({ exitCode: 0, findings: [] });
});

it('data check --repair sets aside a damaged transfer.json and explains the consequences', async () => {
  const { data } = await copy();
  await writeFile(join(data, 'transfer.json'), '{"state":"moved"');
  const served = startTestServer({ data, env });
  await expect(served).rejects.toMatchObject({ hint: expect.stringContaining('check --repair') });
  expect((await run(data)).findings).toMatchObject([
    { file: join(data, 'transfer.json'), line: 1 },
  ]);
  const { exitCode, repairs } = await run(data, '--repair');
  expect([exitCode, repairs[0].message]).toEqual([
    0,
    expect.stringContaining('use its new location'),
  ]);
});

it('data check --repair reports its completed repairs if it fails halfway', async () => {
  const { data, files } = await copy();
  await writeFile(join(data, 'format.json'), 'x');
  const payment = files.find((each) => /^payments\/open\/.*\.jsonl$/.test(each)) ?? 'none';
  await writeFile(join(data, payment), 'x');
  // A file has the name of the folder for damaged files.
  await mkdir(join(data, 'damaged'));
  await writeFile(join(data, 'damaged', 'payments'), '');
  const done = await runCli(['data', 'check', '--repair', '--data', data]);
  expect(done.exitCode).toBe(1);
  expect(done.stderr).toMatch(/^done {2}format\.json:1 .*set aside as damaged\/format\.json\.1/m);
});

it('serve does not start with damaged secrets, and names the repair command', async () => {
  const { data } = await copy();
  const path = join(data, 'secrets.json');
  const text = await readFile(path, 'utf8');
  await writeFile(
    path,
    text.replace(/.(?="\})/, (last) => (last === 'x' ? 'y' : 'x')),
  );
  await expect(startTestServer({ data, env })).rejects.toMatchObject({
    code: 'data_damaged',
    hint: expect.stringContaining('check --repair'),
  });
});

it('serve does not start if site.jsonl is lost, and names the repair command, which creates an empty site', async () => {
  const { data } = await copy();
  const path = join(data, 'site.jsonl');
  const lines = (await readFile(path, 'utf8')).trim().split('\n');
  const highest = JSON.parse(lines.at(-1) ?? '').record.lastProductId;
  await rm(path);
  await expect(startTestServer({ data, env })).rejects.toMatchObject({
    code: 'data_damaged',
    message: `${path}: The file is missing.`,
    hint: expect.stringContaining('check --repair'),
  });
  const missing = { severity: 'error', file: path, message: 'The file is missing.' };
  expect((await run(data)).findings).toEqual([expect.objectContaining(missing)]);
  const { exitCode, repairs } = await run(data, '--repair');
  const begun = { file: path, message: expect.stringContaining('An empty site was created') };
  expect([exitCode, repairs]).toEqual([0, [expect.objectContaining(begun)]]);
  const server = await startTestServer({ data, env });
  const call = await createApiClient(server.site);
  expect((await call('GET', '/api/products')).body.data).toEqual([]);
  const added = await call('POST', '/api/admin/products', { body: { name: 'Tea' } });
  expect(added.body.data.id).toBe(highest + 1);
  await server.close();
});

it('data check does not report a missing site if it was never created', async () => {
  const data = join(await makeTempFolder(), 'data');
  await (await startTestServer({ data, env, only: 'gateway' })).close();
  const before = await readdir(data);
  expect(await run(data, '--repair')).toMatchObject({ exitCode: 0, repairs: [] });
  expect(await readdir(data)).toEqual(before);
  await (await startTestServer({ data, env })).close();
  expect(await readdir(data)).toEqual(expect.arrayContaining(['site.jsonl', 'site.store.json']));
});

it('data check --repair fails while a server is running and for a missing folder', async () => {
  const server = await startTestServer({ env });
  expect(await run(server.data, '--repair')).toMatchObject({ exitCode: 1, code: 'data_in_use' });
  await server.close();
  expect((await run(join(server.data, 'nothing'), '--repair')).exitCode).toBe(2);
});
