// Takes the README's picture of the cashier's terminal from a real run: docs/images/pay-qr.svg.
// Needs a built program (npm run build) and a system that has pseudo-terminals.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from '@lydell/node-pty';
import headless from '@xterm/headless';
import { drawScreens, snapshot } from './lib/terminal-svg.mjs';

const title = 'msgsite pay qr in a terminal: the QR code while it waits, then PAID';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = `${root}/bin/msgsite.js`;
const size = { cols: 80, rows: 26 };
const folder = mkdtempSync(join(tmpdir(), 'msgsite-picture-'));
const env = {
  PATH: process.env.PATH,
  HOME: folder,
  TERM: 'xterm-256color',
  COLORTERM: 'truecolor',
  MSGSITE_POLL_INTERVAL: '0.5',
};

const screen = new headless.Terminal({ ...size, allowProposedApi: true });
const write = (text) => new Promise((resolve) => screen.write(text, resolve));
const shown = () => snapshot(screen).map((line) => line.map(({ glyph }) => glyph).join(''));

try {
  const login = ['pay', 'login', '--phone', '87011234567', '--otp', '123456'];
  spawnSync(process.execPath, [program, ...login], { cwd: folder, env, stdio: 'ignore' });
  await write('$ msgsite pay qr --amount 1500\r\n');
  const words = [program, 'pay', 'qr', '--amount', '1500'];
  const child = spawn(process.execPath, words, { cwd: folder, env, ...size });
  let live;
  child.onData(async (data) => {
    await write(data);
    if (shown().some((line) => line.includes('Waiting for the client'))) live = snapshot(screen);
  });
  await new Promise((resolve) => child.onExit(resolve));
  await write('');
  const screens = [live, snapshot(screen)].map((lines) => ({ lines, theme: 'dark' }));
  mkdirSync(`${root}/docs/images`, { recursive: true });
  writeFileSync(`${root}/docs/images/pay-qr.svg`, drawScreens(title, screens));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
