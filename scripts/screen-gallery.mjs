// docs/images/screens/<archetype>.webp: each archetype light and dark, on a desktop and on a phone, drawn
// from the first definition of the corpus. Needs a build: node scripts/build.mjs && node scripts/screen-gallery.mjs [archetype…]
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import chromium from '@sparticuz/chromium';
import { chromium as playwright } from 'playwright-core';
import { renderScreen } from '../dist/src/screens/render/render-screen.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const corpus = join(root, 'test/screens/valid');
const target = join(root, 'docs/images/screens');

/** Windows that are photographed, and the width each gets in the picture. */
const views = [
  { theme: 'light', width: 1280, height: 800, shown: 600 },
  { theme: 'dark', width: 1280, height: 800, shown: 600 },
  { theme: 'light', width: 390, height: 800, shown: 183 },
  { theme: 'dark', width: 390, height: 800, shown: 183 },
];

const wanted = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), 'msgsite-gallery-'));
const browser = await playwright.launch({
  executablePath: await chromium.executablePath(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars'],
});
try {
  await mkdir(target, { recursive: true });
  for (const archetype of await readdir(corpus)) {
    if (wanted.length > 0 && !wanted.includes(archetype)) continue;
    const [file] = (await readdir(join(corpus, archetype))).sort();
    const definition = JSON.parse(await readFile(join(corpus, archetype, file), 'utf8'));
    const pictures = [];
    for (const view of views) pictures.push(await photograph(definition, view));
    await writeFile(join(target, `${archetype}.webp`), await arrange(pictures));
    console.log(`${archetype}: ${file}`);
  }
} finally {
  await browser.close();
  await rm(folder, { recursive: true });
}

async function photograph(definition, { theme, width, height }) {
  const file = join(folder, 'screen.html');
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
  });
  // The slides of the first visit would stand before every picture.
  const quiet = { ...definition, onboarding: [] };
  await writeFile(file, renderScreen(quiet, { locale: definition.product.language ?? 'ru' }));
  await page.goto(pathToFileURL(file).href);
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
  const images = pictures.map((picture, index) => {
    const source = `data:image/png;base64,${picture.toString('base64')}`;
    return `<img src="${source}" width="${views[index].shown}">`;
  });
  const style =
    'body{margin:0;display:inline-flex;gap:12px;padding:12px;background:#9aa3b2}img{border-radius:6px}';
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
  });
  await page.close();
  return Buffer.from(data, 'base64');
}
