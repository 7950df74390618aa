import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import type { RenderOptions } from '../../src/screens/render/context.js';
import { renderScreen } from '../../src/screens/render/render-screen.js';
import { type OpenOptions, openPage, type WatchedPage } from '../helpers/browser.js';

export interface ScreenOptions extends OpenOptions {
  readonly render?: RenderOptions;
  /** Leaves the slides of the first visit open. */
  readonly firstVisit?: boolean;
}

const folder = mkdtempSync(join(tmpdir(), 'msgsite-screens-'));
let count = 0;

/** Renders a definition into a file and opens it in the browser, as an author would. */
export async function openScreen(
  browser: Browser,
  definition: unknown,
  { render = {}, firstVisit = false, ...options }: ScreenOptions = {},
): Promise<WatchedPage> {
  count += 1;
  const file = join(folder, `${count}.html`);
  writeFileSync(file, renderScreen(definition, render));
  const watched = await openPage(browser, pathToFileURL(file).href, options);
  if (!firstVisit) {
    await watched.page.evaluate(
      "document.querySelectorAll('dialog[open]').forEach((dialog) => dialog.close())",
    );
  }
  return watched;
}
