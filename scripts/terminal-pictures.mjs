// Takes the pictures of the cashier's terminal from real runs: docs/images/pay-qr.svg and pay-till.svg.
// Needs a built program (npm run build) and a system that has pseudo-terminals.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from '@lydell/node-pty';
import headless from '@xterm/headless';
import { drawScreens, snapshot } from './lib/terminal-svg.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = `${root}/bin/msgsite.js`;
const folder = mkdtempSync(join(tmpdir(), 'msgsite-picture-'));
const env = {
  PATH: process.env.PATH,
  HOME: folder,
  TERM: 'xterm-256color',
  COLORTERM: 'truecolor',
  MSGSITE_POLL_INTERVAL: '0.5',
};

/** Milliseconds within which the program has shown what is waited for. */
const patience = 30_000;

/** Runs `msgsite` with these words on a terminal of this size, to be watched and typed at. */
function open(words, size) {
  const screen = new headless.Terminal({ ...size, allowProposedApi: true });
  const write = (text) => new Promise((resolve) => screen.write(text, resolve));
  const shown = () => snapshot(screen).map((line) => line.map(({ glyph }) => glyph).join(''));
  const child = spawn(process.execPath, [program, ...words], { cwd: folder, env, ...size });
  let look = () => {};
  child.onData(async (data) => {
    await write(data);
    look();
  });
  const ended = new Promise((resolve) => child.onExit(resolve));
  return {
    write,
    type: (keys) => child.write(keys),
    picture: () => snapshot(screen),
    /** The picture at the moment when a line holds this text. */
    pictureOf(text) {
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`${text} was not shown.`)), patience);
        look = () => {
          if (!shown().some((line) => line.includes(text))) return;
          clearTimeout(late);
          resolve(snapshot(screen));
        };
        look();
      });
    },
    async end() {
      await ended;
      await write('');
    },
  };
}

async function takeQr() {
  const words = ['pay', 'qr', '--amount', '1500'];
  const terminal = open(words, { cols: 80, rows: 26 });
  await terminal.write(`$ msgsite ${words.join(' ')}\r\n`);
  const live = await terminal.pictureOf('Waiting for the client');
  await terminal.end();
  save('pay-qr', 'msgsite pay qr in a terminal: the QR code while it waits, then PAID', [
    { lines: live, theme: 'dark' },
    { lines: terminal.picture(), theme: 'dark' },
  ]);
}

async function takeTill() {
  const terminal = open(['pay', 'till'], { cols: 80, rows: 24 });
  await terminal.pictureOf('SANDBOX');
  terminal.type('2450');
  const amount = await terminal.pictureOf('2 450');
  terminal.type('\r');
  const code = await terminal.pictureOf('Waiting for the client');
  const result = await terminal.pictureOf('PAID');
  terminal.type('\r');
  await terminal.pictureOf('Enter code');
  terminal.type('t');
  const totals = await terminal.pictureOf('Net');
  terminal.type('\u0003');
  await terminal.end();
  const title =
    'msgsite pay till: the amount while it is typed, its code, the result in large letters, and the totals of the day';
  save(
    'pay-till',
    title,
    [amount, code, result, totals].map((lines) => ({ lines, theme: 'dark' })),
  );
}

function save(name, title, screens) {
  mkdirSync(`${root}/docs/images`, { recursive: true });
  writeFileSync(`${root}/docs/images/${name}.svg`, drawScreens(title, screens));
}

try {
  const login = ['pay', 'login', '--phone', '87011234567', '--otp', '123456'];
  spawnSync(process.execPath, [program, ...login], { cwd: folder, env, stdio: 'ignore' });
  await takeQr();
  await takeTill();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
