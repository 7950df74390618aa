// Measures render-screen: the time to draw 1,000 rows compared with React's renderToStaticMarkup of the same
// list, the time that the page takes to filter them in Chromium, and the size of script and page.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { scripts } from '../dist/screen-assets/assets.js';
import { renderScreen } from '../dist/src/screens/render/render-screen.js';
import { compare, median } from './lib/load.mjs';
import { makeQueue, makeRichQueue, reactList } from './lib/screens.mjs';
import { installTools } from './lib/tools.mjs';

const kilobyte = 1024;

export async function run() {
  const rows = [bytesRow('page script, gzipped', maxScriptBytes(), 15)];
  const { product, statuses, scenario, table, drawer } = makeQueue(12);
  rows.push(
    bytesRow('page of 12 rows', pageBytes({ product, statuses, scenario, table, drawer }), 60),
  );
  rows.push(
    bytesRow('page of 12 rows with every block of a queue', pageBytes(makeRichQueue(12)), 75),
  );
  rows.push(...(await drawingRows()));
  rows.push(longPageRow());
  rows.push(await filteringRow());
  return rows;
}

function pageBytes(definition) {
  return Buffer.byteLength(renderScreen(definition));
}

function maxScriptBytes() {
  const sizes = Object.values(scripts).map(({ text }) => gzipSync(text, { level: 9 }).length);
  return Math.max(...sizes);
}

function bytesRow(name, bytes, limit) {
  const kilobytes = bytes / kilobyte;
  const ratio = kilobytes / limit;
  const text = `${kilobytes.toFixed(1)} KB of ${limit} KB`;
  return { name: `${name}: ${text}`, ratio, aim: 1, atMost: true, ratios: [] };
}

/** Returns the duration of a call in milliseconds: the median of half a second of calls after a warm-up. */
function time(action) {
  const times = [];
  for (let index = 0; index < 20; index += 1) action();
  const until = performance.now() + 500;
  while (performance.now() < until) {
    const start = performance.now();
    action();
    times.push(performance.now() - start);
  }
  return median(times);
}

async function drawingRows() {
  const definition = makeQueue(1000);
  const ours = () => time(() => renderScreen(definition));
  const milliseconds = ours();
  const name = `1,000 rows x 6 columns: ${milliseconds.toFixed(1)} ms of 10 ms`;
  const absolute = { name, ratio: milliseconds / 10, aim: 1, atMost: true, ratios: [] };
  installTools();
  const react = await loadReact();
  const theirs = () => time(() => react.render(reactList(react.library, definition)));
  const result = await compare(theirs, ours);
  return [
    absolute,
    { name: 'renderToStaticMarkup of the list, compared with our whole page', aim: 1, ...result },
  ];
}

/** Returns the processor time of drawing one page in a new process, including garbage collection. */
function longPageRow() {
  const definition = makeQueue(100_000);
  const before = process.cpuUsage();
  renderScreen(definition);
  const { user, system } = process.cpuUsage(before);
  const seconds = (user + system) / 1e6;
  const name = `100,000 rows x 6 columns: ${seconds.toFixed(2)} s of 2 s of processor time`;
  return { name, ratio: seconds / 2, aim: 1, atMost: true, ratios: [] };
}

async function loadReact() {
  process.env.NODE_ENV = 'production';
  const library = await import('react');
  const { renderToStaticMarkup } = await import('react-dom/server');
  return { library: library.default, render: renderToStaticMarkup };
}

/** Measures the time from typing a letter to the layout of the filtered list. */
async function filteringRow() {
  const folder = await mkdtemp(join(tmpdir(), 'msgsite-bench-'));
  const { chromium } = await import('playwright-core');
  const { default: binary } = await import('@sparticuz/chromium');
  const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
  const browser = await chromium.launch({ executablePath: await binary.executablePath(), args });
  try {
    const file = join(folder, 'page.html');
    await writeFile(file, renderScreen(makeQueue(1000)));
    const page = await browser.newPage();
    await page.goto(pathToFileURL(file).href);
    const times = await page.evaluate(typeAway);
    const milliseconds = Math.max(...times);
    const name = `filtering 1,000 rows in Chromium: slowest of ${times.length}, ${milliseconds.toFixed(1)} ms of 50 ms`;
    return { name, ratio: milliseconds / 50, aim: 1, atMost: true, ratios: [] };
  } finally {
    await browser.close();
    await rm(folder, { recursive: true });
  }
}

/** Runs in the page. The first search also reads the text of every row. */
const typeAway = `(() => {
  const input = document.querySelector('#search');
  return ['w', 'wh', 'wheat', 'partner & sons 3', 'zzz', '', 'C-19'].map((text) => {
    const start = performance.now();
    input.value = text;
    input.dispatchEvent(new Event('input', { bubbles: true }));
    document.body.offsetHeight;
    return performance.now() - start;
  });
})()`;
