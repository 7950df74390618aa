// Takes the documentation's pictures in Chromium. Requires a build.
//   node scripts/pictures.mjs http://127.0.0.1:3000   pages of a server that was started with --demo
//   node scripts/pictures.mjs terminal                pay-qr.png and pay-till.png
//   node scripts/pictures.mjs screens [name…]         screens/<name>.webp, from the definitions of the tests
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { spawn } from '@lydell/node-pty';
import chromium from '@sparticuz/chromium';
import headless from '@xterm/headless';
import { chromium as playwright } from 'playwright-core';
import sharp from 'sharp';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'docs/images');
const program = join(root, 'bin/msgsite.js');

const pages = [
  { name: 'site', path: '/' },
  // The dialog appears only if a cashier was signed in (msgsite pay login) before the server started.
  { name: 'pay-dialog', path: '/products/3', reach: openDialog },
  { name: 'admin', path: '/admin.html' },
  { name: 'chat', path: '/chat.html#sign-in', reach: openChat },
];

/** The 16 colors of most terminals. */
const palette =
  '#000000 #c93434 #2f9e44 #c99700 #2f6fd0 #a347ba #1098ad #c8ccd4 #6b7280 #e05252 #40c057 #e6b800 #5c92e8 #c678dd #3bc9db #ffffff'.split(
    ' ',
  );

/** Maximum time to wait for a text in a terminal, in milliseconds. */
const patience = 30_000;

const [subject, ...names] = process.argv.slice(2);
if (!subject) {
  console.error('Pass the URL of a server started with --demo, "terminal" or "screens".');
  process.exit(2);
}
const browser = await playwright.launch({
  executablePath: await chromium.executablePath(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars'],
});
if (subject === 'terminal') await takeTerminals();
else if (subject === 'screens') await takeScreens();
else await takePages(subject);
await browser.close();

async function takePages(url) {
  for (const { name, path, reach = () => {} } of pages) {
    const page = await openPage({ width: 1280, height: 820, theme: 'light' });
    // The public pages set the site's theme; replace it with the theme of the picture.
    await page.addInitScript(() => {
      addEventListener('DOMContentLoaded', () => {
        document.documentElement.dataset.theme = 'light';
      });
    });
    await page.goto(new URL(path, url).href, { waitUntil: 'networkidle' });
    await reach(page);
    await page.screenshot({ path: join(folder, `${name}.png`) });
    await page.close();
  }
}

function openPage({ width, height, theme }) {
  const viewport = { width, height };
  return browser.newPage({ viewport, colorScheme: theme, reducedMotion: 'reduce' });
}

async function openDialog(page) {
  await page.locator('#buy button[type=submit]').click();
  await page.locator('dialog[open] [data-status=pending] img').waitFor();
}

/** Signs in as a user of the demonstration and opens a private chat. */
async function openChat(page) {
  await page.locator('input[type=email]').fill('dana@demo.example');
  await page.locator('input[type=password]').fill('warm bread at seven');
  await page.locator('button[type=submit]').click();
  await page.getByText('Aigerim Sadykova').first().click();
  await page.getByText('They are out of the kiln.').waitFor();
  await page.waitForLoadState('networkidle');
}

/** Draws definitions in several windows side by side; `shown` is the width of each window in the picture. */
async function takeScreens() {
  const { renderScreen } = await import('../dist/src/screens/render/render-screen.js');
  const definitions = join(root, 'test/screens');
  const temporary = mkdtempSync(join(tmpdir(), 'msgsite-picture-'));
  for (const { name, shots } of scenes(definitions)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const pictures = [];
    for (const { file, theme = 'light', width, height, shown, media = 'screen', act } of shots) {
      const definition = JSON.parse(readFileSync(join(definitions, file), 'utf8'));
      // The introductory slides would cover every picture.
      const quiet = { ...definition, onboarding: [] };
      const drawn = join(temporary, 'screen.html');
      writeFileSync(drawn, renderScreen(quiet, { locale: definition.product.language ?? 'ru' }));
      const page = await openPage({ width, height, theme });
      await page.emulateMedia({ media });
      await page.goto(pathToFileURL(drawn).href);
      await act?.(page);
      pictures.push({ shown, bytes: await page.screenshot() });
      await page.close();
    }
    await sideBySide(pictures, join(folder, 'screens', `${name}.webp`));
    console.log(name);
  }
  rmSync(temporary, { recursive: true });
}

/** Returns the first definition of each archetype, examples for phones and paper, and definitions at their limits. */
function scenes(definitions) {
  const desktop = { width: 1280, height: 800, shown: 600 };
  const phone = { width: 390, height: 800, shown: 183 };
  const paper = { width: 794, height: 1123, shown: 400, media: 'print' };
  const both = (view) => [view, { ...view, theme: 'dark' }];
  const scene = (name, file, views) => ({ name, shots: views.map((view) => ({ ...view, file })) });
  const act = (page) => page.locator('.master a.open').nth(1).click();
  const phones = both({ ...phone, shown: 270 }).flatMap((view) => [view, { ...view, act }]);
  const limits = [
    { ...desktop, height: 1100 },
    { ...phone, theme: 'dark', height: 1450 },
    { ...phone, width: 320, height: 1450, shown: 150 },
  ];
  const papers = ['wizard/new-employee-en', 'inbox/support-mail-en', 'calendar/tax-deadlines-ru'];
  return [
    ...readdirSync(join(definitions, 'valid')).map((name) => {
      const [first] = readdirSync(join(definitions, 'valid', name)).sort();
      return scene(name, `valid/${name}/${first}`, [...both(desktop), ...both(phone)]);
    }),
    scene('phone-inbox', 'valid/inbox/support-mail-en.screen.json', phones),
    scene('phone-compare', 'valid/compare/price-list-en.screen.json', phones),
    {
      name: 'print',
      shots: papers.map((file) => ({ ...paper, file: `valid/${file}.screen.json` })),
    },
    scene('limits-custom', 'limits/custom.screen.json', limits),
    scene('limits-wizard', 'limits/wizard.screen.json', limits),
  ];
}

async function sideBySide(pictures, file) {
  const gap = 15;
  const parts = [];
  let left = gap;
  for (const { bytes, shown } of pictures) {
    const resized = sharp(bytes).resize({ width: Math.round(1.25 * shown) });
    const { data, info } = await resized.toBuffer({ resolveWithObject: true });
    parts.push({ input: data, left, top: gap, height: info.height });
    left += info.width + gap;
  }
  const height = Math.max(...parts.map((part) => part.height)) + 2 * gap;
  const create = { width: left, height, channels: 3, background: '#9aa3b2' };
  await sharp({ create }).composite(parts).webp({ quality: 72 }).toFile(file);
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
  // Draw blocks as backgrounds, because glyphs leave gaps between lines.
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
