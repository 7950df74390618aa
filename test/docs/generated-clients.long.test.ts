import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServe } from '../helpers/msgsite-process.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { follow as followPage } from './follow.js';
import { root } from './machine.js';
import { followed } from './pages.js';

const packages = join(root, 'node_modules');

/** Returns the commands in the comment at the top of an example. */
async function commandsOf(file: string): Promise<string[]> {
  const head = (await readFile(file, 'utf8')).split('\n\n', 1)[0] ?? '';
  return [...head.matchAll(/^\/\/ {3}(.+)$/gm)].map(([, command = '']) => command);
}

/** Copies an example and installs its packages, as a reader would. */
async function copyOf(example: string): Promise<string> {
  const folder = await makeTempFolder();
  await cp(join(root, 'docs/examples', example), join(folder, example), { recursive: true });
  await symlink(packages, join(folder, 'node_modules'));
  return join(folder, example);
}

async function run(command: string, cwd: string, env: Readonly<Record<string, string>>) {
  // The generators require a TypeScript package with a compiler API.
  const isGenerator = command.startsWith('npx openapi-');
  const hook = pathToFileURL(join(root, 'test/docs/typescript-api.mjs')).href;
  const child = spawn('sh', ['-c', command.replace(/^npx /, '')], {
    cwd,
    env: {
      PATH: [join(packages, '.bin'), process.env.PATH ?? ''].join(delimiter),
      ...env,
      ...(isGenerator ? { NODE_OPTIONS: `--import ${hook}` } : {}),
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const [status] = await once(child, 'close');
  return { command, status, output };
}

let serve: Awaited<ReturnType<typeof startServe>>;

beforeAll(async () => {
  serve = await startServe([], {
    cwd: await mkdtemp(join(tmpdir(), 'msgsite-')),
    env: { MSGSITE_SANDBOX_SPEED: '5' },
  });
});

afterAll(() => serve.end('SIGTERM'));

/** Runs the commands of an example against the server of this test. */
async function follow(folder: string, file: string) {
  const commands = await commandsOf(join(folder, file));
  expect(commands.length).toBeGreaterThan(2);
  const env = { GATEWAY: serve.gateway, SITE: serve.site };
  const ran = [];
  for (const command of commands) {
    const here = command
      .replace('http://127.0.0.1:3001', serve.gateway)
      .replace('http://127.0.0.1:3000', serve.site);
    ran.push(await run(here, folder, env));
  }
  expect(ran.filter(({ status }) => status !== 0)).toEqual([]);
  return { commands, lines: ran.at(-1)?.output.trim().split('\n') };
}

/** Expects a compiler error if the example does not handle one of the gateway's codes. */
async function expectMissingCodeError(folder: string) {
  const file = join(folder, 'integration.ts');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace("    case 'refused':\n", ''));
  const { status, output } = await run('npx tsc', folder, {});
  expect(status).not.toBe(0);
  expect(output).toContain(`Type '"refused"' does not satisfy the expected type 'never'`);
}

describe('a client generated with hey-api', () => {
  it('compiles strictly, runs the example, and fails to compile if an error code is not handled', async () => {
    const folder = await copyOf('hey-api');
    const { lines } = await follow(folder, 'integration.ts');
    expect(lines).toEqual([
      expect.stringMatching(/^Signed in for organization \d+$/),
      expect.stringMatching(/^QR code https:\/\/pay\.example\/qr\/\S+$/),
      'Processed: 1500 tenge',
      'Invoice RemotePaymentCanceled',
      '500 tenge returned, 1000 left',
      'refused, so: give up',
      'History: Invoice RemotePaymentCanceled, Qr Processed',
    ]);
    await expectMissingCodeError(folder);
  });
});

describe('a client generated with openapi-fetch', () => {
  const page = 'docs/shop/http-api.md';

  it(`compiles strictly, runs as in ${page}, and fails to compile if an error code is not handled`, async () => {
    const clone = await followPage(page, followed[page]);
    await expectMissingCodeError(join(clone, 'integration'));
  });

  it(`is generated with the same commands in the example and in ${page}`, async () => {
    const text = await readFile(join(root, page), 'utf8');
    const commands = await commandsOf(join(root, 'docs/examples/openapi-fetch/integration.ts'));
    expect(commands.length).toBeGreaterThan(2);
    for (const command of commands) {
      expect(text).toContain(command.replace('127.0.0.1', 'localhost'));
    }
  });
});

describe.each(['chat-openapi-fetch', 'chat-hey-api'])('the example %s', (example) => {
  it('compiles strictly and prints the expected chat', async () => {
    const { lines } = await follow(await copyOf(example), 'chat.ts');
    expect(lines).toEqual([
      'Chats: Bob, Bakers, News',
      'Ann: Is the bread ready? (1 unread)',
      'Read up to there: 0 unread',
      'Ann was found',
    ]);
  });
});
