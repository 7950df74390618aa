import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createPayCli, type PayCli } from '../commands/pay/pay-cli.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = join(root, 'bin/msgsite.js');

/** A text for each package that occurs only in its code. */
const marks = {
  ink: 'which Ink uses as input stream by default',
  pino: 'levels cannot be overridden',
  koa: 'middleware must be a function!',
  pg: 'Client was passed a null or undefined query',
} as const;

let cli: PayCli;

beforeAll(async () => {
  cli = await createPayCli();
  await cli.signIn();
});
afterAll(() => cli.remove());

/** Runs msgsite in a separate process. Returns the loaded files and the third-party packages in them. */
async function startsWith(words: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'msgsite-start-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  // Node.js writes the list of loaded scripts when it exits.
  const env = { PATH: process.env.PATH, ...cli.env, NODE_V8_COVERAGE: folder };
  await promisify(execFile)(process.execPath, [program, ...words], { cwd: cli.folder, env });
  const [report = ''] = await readdir(folder);
  const { result } = JSON.parse(await readFile(join(folder, report), 'utf8')) as {
    result: readonly { readonly url: string }[]; // V8 defines this format.
  };
  const scripts = result.filter(({ url }) => url.startsWith('file:'));
  const files = scripts.map(({ url }) => fileURLToPath(url));
  return { files: files.map((file) => relative(root, file)), packages: await packagesIn(files) };
}

async function packagesIn(files: readonly string[]): Promise<string[]> {
  const text = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join();
  return Object.entries(marks).flatMap(([name, mark]) => (text.includes(mark) ? [name] : []));
}

it('a command on data loads few files and no third-party package', async () => {
  const { files, packages } = await startsWith(['pay', 'payments']);
  expect(packages).toEqual([]);
  expect(files.filter((file) => !/^(bin|dist)\//.test(file))).toEqual([]);
  expect(files.length).toBeLessThan(30);
});

it('pay qr --no-wait loads no terminal UI package', async () => {
  const { packages } = await startsWith(['pay', 'qr', '--amount', '1500', '--no-wait']);
  expect(packages).toEqual([]);
});

it('validate-screen loads one bundled file', async () => {
  const { files } = await startsWith(['validate-screen', join(root, 'test/screens/valid/queue')]);
  expect(files.sort()).toEqual(['bin/msgsite.js', 'dist/validate-screen.cjs']);
});

it('the build bundles all listed packages and the production version of React', async () => {
  const chunks = join(root, 'dist/chunks');
  const files = (await readdir(chunks)).map((name) => join(chunks, name));
  expect(await packagesIn(files)).toEqual(Object.keys(marks));
  const text = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join();
  expect(text).toContain('Minified React error #');
  expect(text).not.toContain('Invalid hook call. Hooks can only be called inside');
});
