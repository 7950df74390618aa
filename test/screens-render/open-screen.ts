import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import type { RenderOptions } from '../../src/screens/render/context.js';
import { renderScreen } from '../../src/screens/render/render-screen.js';
import { openPage, type WatchedPage } from '../helpers/browser.js';

export interface ScreenOptions extends BrowserContextOptions {
  readonly render?: RenderOptions;
  /** True to leave the slides of the first visit open. */
  readonly firstVisit?: boolean;
}

const folder = mkdtempSync(join(tmpdir(), 'msgsite-screens-'));
let count = 0;

/**
 * Pages by browser and options. They are reused within a test file, because creating a page takes longer than most
 * tests.
 */
const pages = new WeakMap<Browser, Map<string, WatchedPage>>();

/**
 * Renders a definition to a file and opens it in the browser, as an author would. Reuses the page of the previous
 * screen and clears its storage and recorded problems.
 */
export async function openScreen(
  browser: Browser,
  definition: unknown,
  { render = {}, firstVisit = false, viewport, ...options }: ScreenOptions = {},
): Promise<WatchedPage> {
  count += 1;
  const file = join(folder, `${count}.html`);
  writeFileSync(file, renderScreen(definition, render));
  const watched = await show(browser, pathToFileURL(file).href, options, viewport);
  if (!firstVisit) {
    await watched.page.evaluate(
      "document.querySelectorAll('dialog[open]').forEach((dialog) => dialog.close())",
    );
  }
  return watched;
}

async function show(
  browser: Browser,
  url: string,
  options: BrowserContextOptions,
  viewport: BrowserContextOptions['viewport'] = { width: 1280, height: 800 },
): Promise<WatchedPage> {
  const own = pages.get(browser) ?? new Map<string, WatchedPage>();
  pages.set(browser, own);
  const key = JSON.stringify(options);
  const watched = own.get(key);
  if (watched === undefined || watched.page.isClosed()) {
    const opened = await openPage(browser, url, { ...options, viewport });
    own.set(key, opened);
    return opened;
  }
  const { page, problems } = watched;
  // Without JavaScript, nothing is stored.
  if (options.javaScriptEnabled !== false) await page.evaluate('localStorage.clear()');
  await page.mouse.move(0, 0);
  const now = page.viewportSize();
  if (viewport && (now?.width !== viewport.width || now.height !== viewport.height)) {
    await page.setViewportSize(viewport);
  }
  problems.length = 0;
  await page.goto(url);
  return watched;
}
