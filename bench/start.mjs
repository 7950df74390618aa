// Measures how fast commands start, as a multiple of the time of an empty Node.js process: small commands until they
// exit, `serve` until it prints its address, and `pay qr` until the first row of its code appears on a terminal.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { spawn as spawnOnTerminal } from '@lydell/node-pty';
import { compare } from './lib/load.mjs';
import { root } from './lib/processes.mjs';
import { withTemporary } from './lib/temporary.mjs';

const program = join(root, 'bin/msgsite.js');
const rounds = { rounds: 15 };
/** Node.js 20 starts an empty process more slowly than its successors. */
const coldStart = process.version.startsWith('v20.') ? 1.6 : 1.8;

export function run() {
  return withTemporary(async ({ folder }) => {
    await mkdir(join(folder, 'empty'));
    await mkdir(join(folder, 'shop'));
    const empty = { cwd: join(folder, 'empty'), env: environment(folder) };
    const shop = { cwd: join(folder, 'shop'), env: environment(folder) };
    await signIn(shop);
    const row = async (name, aim, measure) => {
      const { ratio, ratios } = await compare(measure, () => timeOf(['-e', '0'], empty), rounds);
      return { name: `${name}, compared with node -e 0`, aim, atMost: true, ratio, ratios };
    };
    return [
      await row('--version', coldStart, () => timeOf([program, '--version'], empty)),
      await row('pay payments', 5, () => timeOf([program, 'pay', 'payments'], shop)),
      await row('pay qr, to the first row of its code', 7, () => timeOfCode(shop)),
      await row('serve, to its address', 12, () => timeOfServe(empty)),
    ];
  });
}

/**
 * Returns the environment: a terminal of 256 colours, default settings, and the certificates that Node.js reads
 * on this machine.
 */
function environment(home) {
  const { PATH, NODE_EXTRA_CA_CERTS } = process.env;
  return {
    PATH,
    NODE_EXTRA_CA_CERTS,
    HOME: home,
    TERM: 'xterm-256color',
    MSGSITE_PORT: '0',
    MSGSITE_GATEWAY_PORT: '0',
  };
}

async function signIn(options) {
  const pay = (...words) =>
    promisify(execFile)(process.execPath, [program, 'pay', ...words], options);
  const { stdout } = await pay('login', '--phone', '77011234567', '--json');
  await pay('login', '--process', JSON.parse(stdout).processId, '--otp', '123456');
}

/** Returns the milliseconds until a process exits. */
async function timeOf(words, options) {
  const start = performance.now();
  await promisify(execFile)(process.execPath, words, options);
  return performance.now() - start;
}

async function timeOfServe(options) {
  const start = performance.now();
  const stdio = ['ignore', 'pipe', 'ignore'];
  const child = spawn(process.execPath, [program, 'serve'], { ...options, stdio });
  await once(child.stdout, 'data');
  const time = performance.now() - start;
  child.kill();
  await once(child, 'exit');
  return time;
}

/** Returns the milliseconds until the first half block appears on the screen, which is the first part of the code. */
async function timeOfCode(options) {
  const size = { cols: 80, rows: 40 };
  const start = performance.now();
  const words = [program, 'pay', 'qr', '--amount', '1500'];
  const child = spawnOnTerminal(process.execPath, words, { ...options, ...size });
  let shown = '';
  let time;
  await new Promise((resolve) => {
    child.onExit(resolve);
    child.onData((text) => {
      shown += text;
      if (time !== undefined || !/[▀▄█]/.test(shown)) return;
      time = performance.now() - start;
      // Ctrl+C leaves the payment open and releases its record.
      child.write('\u0003');
    });
  });
  if (time === undefined) throw new Error(`No code appeared on the screen: ${shown}`);
  return time;
}
