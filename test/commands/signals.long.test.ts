import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { PassThrough, type Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { createPayCli, type PayCli } from './pay/pay-cli.js';

const program = fileURLToPath(new URL('../../bin/msgsite.js', import.meta.url));
const sample = new URL('../screens/valid/cockpit/incidents-en.screen.json', import.meta.url);
const codes = { SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof codes;
const signals = Object.keys(codes) as Signal[];

/** Accepts connections but never responds, like a bank, a database or a receiver that has stalled. */
let silent: Server;
const sockets = new Set<Socket>();
let address: string;
let cli: PayCli;

/** Closes all accepted connections. */
function hangUp(): void {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
}

beforeAll(async () => {
  cli = await createPayCli();
  await cli.signIn();
  silent = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  address = `127.0.0.1:${(silent.address() as AddressInfo).port}`; // a TCP server has one
  await writeFile(join(cli.folder, 'page.screen.json'), '{"archetype": "list", "title": "Page"}');
});
afterAll(async () => {
  silent.close();
  hangUp();
  await cli.remove();
});

function start(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [program, ...words], {
    cwd: cli.folder,
    env: { PATH, ...cli.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => {});
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([code, signal]) => ({
    // For a process that was ended by a signal, uses the exit code of a shell.
    code: (code as number | null) ?? codes[signal as Signal],
    stderr,
  }));
  return { child, ended };
}

/** Resolves when a command is waiting for the stalled side. */
type Stalled = (stdin: Writable) => Promise<unknown>;

const isConnected: Stalled = () => once(silent, 'connection');
const isReading: Stalled = (stdin) =>
  new Promise<void>((resolve) => {
    // This exceeds the buffers of pipes and sockets, so the write finishes only if the command reads.
    stdin.write(' '.repeat(4_000_000), () => resolve());
  });
const bank = () => ({ MSGSITE_PROVIDER: `http://${address}` });
const database = () => ({ MSGSITE_DATABASE: `postgres://user:secret@${address}/shop` });
const nothing = () => ({});

const stalls: readonly [string, () => Record<string, string>, Stalled][] = [
  ['pay login --phone 87011234567', bank, isConnected],
  ['pay status', bank, isConnected],
  ['pay logout', bank, isConnected],
  ['pay qr --amount 1500', bank, isConnected],
  ['pay invoice --phone 87011234567 --amount 1500', bank, isConnected],
  ['pay invoice client 87011234567', bank, isConnected],
  ['pay invoice show 1', bank, isConnected],
  ['pay invoice cancel 1', bank, isConnected],
  ['pay invoice list', bank, isConnected],
  ['pay history', bank, isConnected],
  ['pay refund 1 --amount 1 --yes', bank, isConnected],
  ['pay wait 1', database, isConnected],
  ['pay payments', database, isConnected],
  ['webhooks list', database, isConnected],
  ['users delete 1 --yes', database, isConnected],
  ['webhooks replay --all', database, isConnected],
  ['webhooks verify --signature x --secret y', nothing, isReading],
  ['data migrate', database, isConnected],
  ['data export', database, isConnected],
  ['data move --to elsewhere', database, isConnected],
  ['data import - --data imported', nothing, isReading],
  ['serve --port 0 --gateway-port 0', database, isConnected],
  ['render-screen -', nothing, isReading],
  ['validate-screen -', nothing, isReading],
];

const every = Boolean(process.env.MSGSITE_TEST_EVERY_SIGNAL);

/**
 * Returns the commands to test with this signal. The signals alternate, because the program treats them alike. With
 * MSGSITE_TEST_EVERY_SIGNAL=1, both signals are tested with every command as a process.
 */
const stallsOf = (signal: Signal) =>
  stalls.filter(
    (each, index) => !isProcess(each) && index % signals.length === signals.indexOf(signal),
  );

/** Commands that are always tested as processes, one for each kind of stall. */
const asProcesses = [
  'pay logout',
  'serve --port 0 --gateway-port 0',
  'data import - --data imported',
];
const isProcess = ([words]: (typeof stalls)[number]) => every || asProcesses.includes(words);

/** Runs the command line in this process and passes a signal to it, as bin/msgsite.js does. */
async function interrupt(
  words: readonly string[],
  more: Readonly<Record<string, string>>,
  stalled: Stalled,
  signal: Signal,
) {
  // Uses a separate folder. Abandoned work continues until its connection closes, because no process exits.
  const folder = await makeTempFolder();
  await cp(cli.folder, folder, { recursive: true });
  const settings = Object.entries({ ...cli.env, ...more });
  const env = Object.fromEntries(
    settings.map(([name, value]) => [name, value.replace(cli.folder, folder)]),
  );
  const interruption = new AbortController();
  const stdin = new PassThrough();
  const ended = runCli(words, { cwd: folder, env, stdin, signal: interruption.signal });
  await Promise.race([stalled(stdin), ended]);
  interruption.abort(signal);
  const { exitCode, stderr } = await ended;
  stdin.destroy();
  hangUp();
  return { code: exitCode, stderr };
}

describe.each(signals)('a first %s', (signal) => {
  it.each(stallsOf(signal))(
    'stops `%s` while it waits for a response or input that never arrives',
    async (words, env, stalled) => {
      const { code, stderr } = await interrupt(words.split(' '), env(), stalled, signal);
      expect(code, stderr).toBe(codes[signal]);
    },
  );

  it.each(stalls.filter(isProcess))(
    'stops the process of `%s` while it waits for a response or input that never arrives',
    async (words, env, stalled) => {
      // A session with a request in doubt is kept without a call to the bank, so a new session is needed.
      if (words === 'pay logout') await cli.signIn();
      const { child, ended } = start(words.split(' '), env());
      await Promise.race([stalled(child.stdin), ended]);
      child.kill(signal);
      const { code, stderr } = await ended;
      expect(code, stderr).toBe(codes[signal]);
      // The session has been removed, even if the bank did not respond.
      if (words === 'pay logout') await cli.signIn();
    },
  );

  it.each([
    ['serve --port 0 --gateway-port 0', /admin/],
    ['sandbox --port 0', /sandbox/],
    ['webhooks listen', /Listening/],
    ['preview-screen page.screen.json', /http/],
  ])('stops `%s` with exit code 0', async (words, running) => {
    const { child, ended } = start(words.split(' '), { MSGSITE_DATA: 'served' });
    let stdout = '';
    for await (const text of child.stdout) {
      stdout += text;
      if (running.test(stdout)) break;
    }
    child.kill(signal);
    const { code, stderr } = await ended;
    expect(code, stderr).toBe(0);
  });

  it('stops a command whose output nobody reads', async () => {
    // A page with thousands of rows exceeds the buffer of a pipe.
    const definition = JSON.parse(await readFile(sample, 'utf8'));
    const { rows } = definition.table;
    definition.table.rows = Array.from({ length: 3_000 }, (_, at) => rows[at % rows.length]);
    await writeFile(join(cli.folder, 'large.screen.json'), JSON.stringify(definition));
    const { child, ended } = start(['render-screen', 'large.screen.json']);
    // Some output has arrived. The rest does not fit into the pipe.
    await once(child.stdout, 'readable');
    child.kill(signal);
    const code = await once(child, 'exit');
    child.stdout.destroy();
    await ended;
    expect(code[0]).toBe(codes[signal]);
  });
});
