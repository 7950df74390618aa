// docs/images/screens/<name>.webp: each archetype light and dark, on a desktop and on a phone, drawn from the first
// definition of the corpus; then a phone that opens a record, paper, and definitions at their limits.
// Needs a build: node scripts/build.mjs && node scripts/screen-gallery.mjs [name…]
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import chromium from '@sparticuz/chromium';
import { chromium as playwright } from 'playwright-core';
import { renderScreen } from '../dist/src/screens/render/render-screen.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const definitions = join(root, 'test/screens');
const target = join(root, 'docs/images/screens');

/** Windows that are photographed: `shown` is the width that each gets in the picture. */
const desktop = { theme: 'light', width: 1280, height: 800, shown: 600 };
const phone = { theme: 'light', width: 390, height: 800, shown: 183 };
const views = [desktop, { ...desktop, theme: 'dark' }, phone, { ...phone, theme: 'dark' }];

/** A record opened from the list, as a finger does. */
const record = (page) => page.locator('.master a.open').nth(1).click();

/** A4 at 96 dots an inch. */
const paper = { theme: 'light', width: 794, height: 1123, shown: 400, media: 'print' };
const phones = ['light', 'dark'].flatMap((theme) => [
  { ...phone, theme, shown: 270 },
  { ...phone, theme, shown: 270, act: record },
]);
const limits = [
  { ...desktop, height: 1100 },
  { ...phone, theme: 'dark', height: 1450 },
  { ...phone, width: 320, height: 1450, shown: 150 },
];

const scenes = [
  ...(await Promise.all(
    (
      await readdir(join(definitions, 'valid'))
    ).map(async (archetype) => {
      const [file] = (await readdir(join(definitions, 'valid', archetype))).sort();
      return {
        name: archetype,
        shots: views.map((view) => ({ ...view, file: `valid/${archetype}/${file}` })),
      };
    }),
  )),
  {
    name: 'phone-inbox',
    shots: phones.map((view) => ({ ...view, file: 'valid/inbox/support-mail-en.screen.json' })),
  },
  {
    name: 'phone-compare',
    shots: phones.map((view) => ({ ...view, file: 'valid/compare/price-list-en.screen.json' })),
  },
  {
    name: 'print',
    shots: ['wizard/new-employee-en', 'inbox/support-mail-en', 'calendar/tax-deadlines-ru'].map(
      (file) => ({ ...paper, file: `valid/${file}.screen.json` }),
    ),
  },
  ...['custom', 'wizard'].map((name) => ({
    name: `limits-${name}`,
    shots: limits.map((view) => ({ ...view, file: `limits/${name}.screen.json` })),
  })),
];

const wanted = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), 'msgsite-gallery-'));
const browser = await playwright.launch({
  executablePath: await chromium.executablePath(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars'],
});
try {
  await mkdir(target, { recursive: true });
  for (const { name, shots } of scenes) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const pictures = [];
    for (const shot of shots) pictures.push({ ...shot, picture: await photograph(shot) });
    await writeFile(join(target, `${name}.webp`), await arrange(pictures));
    console.log(name);
  }
} finally {
  await browser.close();
  await rm(folder, { recursive: true });
}

async function photograph({ file, theme, width, height, media = 'screen', act = () => {} }) {
  const definition = JSON.parse(await readFile(join(definitions, file), 'utf8'));
  const drawn = join(folder, 'screen.html');
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
  });
  // The slides of the first visit would stand before every picture.
  const quiet = { ...definition, onboarding: [] };
  await writeFile(drawn, renderScreen(quiet, { locale: definition.product.language ?? 'ru' }));
  await page.emulateMedia({ media });
  await page.goto(pathToFileURL(drawn).href);
  await act(page);
  const picture = await capture(page);
  await page.close();
  return picture;
}

/** A busy machine now and then fails to take a picture in time; the next attempt succeeds. */
async function capture(page, attempts = 4) {
  try {
    return await page.screenshot();
  } catch (error) {
    if (attempts === 1) throw error;
    return capture(page, attempts - 1);
  }
}

/** The pictures side by side as one WebP of moderate size. */
async function arrange(pictures) {
  const images = pictures.map(({ picture, shown }) => {
    const source = `data:image/png;base64,${picture.toString('base64')}`;
    return `<img src="${source}" width="${shown}">`;
  });
  const style =
    'body{margin:0;display:inline-flex;align-items:flex-start;gap:12px;padding:12px;background:#9aa3b2}img{border-radius:6px}';
  const page = await browser.newPage({
    viewport: { width: 1640, height: 500 },
    deviceScaleFactor: 1.25,
  });
  await page.setContent(`<style>${style}</style>${images.join('')}`);
  const box = await page.locator('body').boundingBox();
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 72,
    clip: { ...box, scale: 1 },
    captureBeyondViewport: true,
  });
  await page.close();
  return Buffer.from(data, 'base64');
}
