// Takes the pictures of the documentation in Chromium. Needs a built program.
//   node scripts/pictures.mjs http://127.0.0.1:3000 [folder]   pages of a server that was started with --demo
//   node scripts/pictures.mjs terminal                         docs/images/pay-qr.png and pay-till.png
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from '@lydell/node-pty';
import chromium from '@sparticuz/chromium';
import headless from '@xterm/headless';
import { chromium as playwright } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = join(root, 'bin/msgsite.js');

const pages = [
  { name: 'site', path: '/' },
  { name: 'product', path: '/products/3' },
  // Sign in a cashier (msgsite pay login) before the server starts, or there is no dialog.
  { name: 'pay-dialog', path: '/products/3', reach: openDialog },
  { name: 'admin', path: '/admin.html' },
  { name: 'admin-product', path: '/admin.html#products/3' },
  { name: 'admin-orders', path: '/admin.html#orders' },
  { name: 'admin-shop', path: '/admin.html#shop' },
  { name: 'admin-announcements', path: '/admin.html#announcements' },
  { name: 'admin-settings', path: '/admin.html#settings' },
  { name: 'chat', path: '/chat.html#sign-in', reach: openChat },
];
const windows = [
  { size: 'desktop', viewport: { width: 1280, height: 820 } },
  { size: 'phone', viewport: { width: 360, height: 740 } },
];

/** The 16 colors as most terminals show them. */
const palette =
  '#000000 #c93434 #2f9e44 #c99700 #2f6fd0 #a347ba #1098ad #c8ccd4 #6b7280 #e05252 #40c057 #e6b800 #5c92e8 #c678dd #3bc9db #ffffff'.split(
    ' ',
  );

/** Milliseconds to wait for the program to show something. */
const patience = 30_000;

const [what, folder = join(root, 'docs/images')] = process.argv.slice(2);
if (!what) {
  console.error('Pass the URL of a server started with --demo, or "terminal".');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const browser = await playwright.launch({
  executablePath: await chromium.executablePath(),
  args: ['--no-sandbox', '--disable-gpu'],
});
if (what === 'terminal') await takeTerminals();
else await takePages(what);
await browser.close();

async function takePages(url) {
  for (const { size, viewport } of windows) {
    for (const colorScheme of ['light', 'dark']) {
      for (const { name, path, reach = () => {} } of pages) {
        const page = await browser.newPage({ viewport, colorScheme, reducedMotion: 'reduce' });
        // The public pages have the site's own theme; replace it by the theme of the picture.
        await page.addInitScript((theme) => {
          addEventListener('DOMContentLoaded', () => {
            document.documentElement.dataset.theme = theme;
          });
        }, colorScheme);
        await page.goto(new URL(path, url).href, { waitUntil: 'networkidle' });
        await reach(page);
        await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`) });
        await page.close();
      }
    }
  }
}

async function openDialog(page) {
  const buy = page.locator('#buy button[type=submit]');
  if ((await buy.count()) === 0) return;
  await buy.click();
  await page.locator('dialog[open] [data-status=pending] img').waitFor();
}

/** Signs in as a person of the demonstration and opens a private chat. */
async function openChat(page) {
  await page.locator('input[type=email]').fill('dana@demo.example');
  await page.locator('input[type=password]').fill('warm bread at seven');
  await page.locator('button[type=submit]').click();
  await page.getByText('Aigerim Sadykova').first().click();
  await page.getByText('They are out of the kiln.').waitFor();
  await page.waitForLoadState('networkidle');
}

async function takeTerminals() {
  const home = mkdtempSync(join(tmpdir(), 'msgsite-picture-'));
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    TERM: 'xterm-256color',
    MSGSITE_POLL_INTERVAL: '0.5',
  };
  const around = { cwd: home, env: { ...env, COLORTERM: 'truecolor' } };
  try {
    const login = ['pay', 'login', '--phone', '87011234567', '--otp', '123456'];
    spawnSync(process.execPath, [program, ...login], { ...around, stdio: 'ignore' });

    const qr = openTerminal(['pay', 'qr', '--amount', '1500'], { cols: 80, rows: 26 }, around);
    await qr.write('$ msgsite pay qr --amount 1500\r\n');
    const live = await qr.pictureOf('Waiting for the client');
    await qr.ended;
    await save('pay-qr', [live, await qr.pictureOf('PAID')]);

    const till = openTerminal(['pay', 'till'], { cols: 80, rows: 24 }, around);
    await till.pictureOf('SANDBOX');
    till.type('2450');
    const amount = await till.pictureOf('2 450');
    till.type('\r');
    const code = await till.pictureOf('Waiting for the client');
    const result = await till.pictureOf('PAID');
    till.type('\r');
    await till.pictureOf('Enter code');
    till.type('t');
    const totals = await till.pictureOf('Net');
    till.type('\u0003');
    await till.ended;
    await save('pay-till', [amount, code, result, totals]);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Runs `msgsite` on a terminal of this size. */
function openTerminal(words, size, around) {
  const screen = new headless.Terminal({ ...size, allowProposedApi: true });
  const child = spawn(process.execPath, [program, ...words], { ...around, ...size });
  const write = (text) => new Promise((resolve) => screen.write(text, resolve));
  child.onData(write);
  return {
    write,
    type: (keys) => child.write(keys),
    ended: new Promise((resolve) => child.onExit(resolve)),
    /** Returns the screen as HTML, once it shows this text and is not being redrawn. */
    async pictureOf(text) {
      let before = '';
      for (const start = performance.now(); performance.now() - start < patience; ) {
        const { active } = screen.buffer;
        const rows = Array.from({ length: size.rows }, (_, row) => active.baseY + row);
        const lines = rows.map((row) => active.getLine(row));
        const drawn = htmlOf(lines);
        const isShown = lines.some((line) => line?.translateToString().includes(text));
        if (isShown && drawn === before) return drawn;
        before = drawn;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error(`${text} was not shown.`);
    },
  };
}

function htmlOf(lines) {
  const last = lines.findLastIndex((line) => /\S/.test(line?.translateToString() ?? ''));
  const rows = lines.slice(0, last + 1).map((line) => {
    const cells = Array.from({ length: line.length }, (_, column) => line.getCell(column));
    return `<div>${cells.map(cellHtml).join('')}</div>`;
  });
  return `<section>${rows.join('')}</section>`;
}

function cellHtml(cell) {
  const colors = [colorOf(cell, 'Fg') ?? '#d8dee9', colorOf(cell, 'Bg') ?? '#15181e'];
  const [ink, paper] = cell.isInverse() ? colors.reverse() : colors;
  // Blocks are drawn as backgrounds: glyphs of a font leave gaps between lines.
  const share = { '█': [100, 0], '▀': [50, 0], '▄': [50, 50] }[cell.getChars()];
  const background =
    share &&
    `linear-gradient(${share[1] ? `${paper} 50%, ${ink} 50%` : `${ink} ${share[0]}%, ${paper} 0`})`;
  const style = `color:${ink};background:${background ?? paper};${cell.isBold() ? 'font-weight:bold;' : ''}${cell.isDim() ? 'opacity:.65' : ''}`;
  const text = share ? '' : cell.getChars().replace('&', '&amp;').replace('<', '&lt;');
  return `<span style="${style}">${text}</span>`;
}

function colorOf(cell, layer) {
  if (cell[`is${layer}Default`]()) return undefined;
  const value = cell[`get${layer}Color`]();
  if (cell[`is${layer}RGB`]()) return `#${value.toString(16).padStart(6, '0')}`;
  if (value < 16) return palette[value];
  if (value > 231) return `rgb(${Array(3).fill(8 + (value - 232) * 10)})`;
  const level = (step) => [0, 95, 135, 175, 215, 255][step % 6];
  const cube = value - 16;
  return `rgb(${[Math.floor(cube / 36), Math.floor(cube / 6), cube].map(level)})`;
}

async function save(name, screens) {
  const page = await browser.newPage({ deviceScaleFactor: 2 });
  await page.setContent(`<style>
    body { margin: 0; display: inline-block; font: 13.29px/18px 'DejaVu Sans Mono', ui-monospace, monospace; }
    section { padding: 14px; margin-bottom: 18px; border-radius: 8px; background: #15181e; }
    section:last-child { margin-bottom: 0; }
    div { height: 18px; white-space: nowrap; }
    span { display: inline-block; width: 8px; height: 18px; vertical-align: top; text-align: center; white-space: pre; }
  </style>${screens.join('')}`);
  await page
    .locator('body')
    .screenshot({ path: join(folder, `${name}.png`), omitBackground: true });
  await page.close();
}
