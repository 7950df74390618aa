import { isDeepStrictEqual } from 'node:util';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { demoContent } from '../../src/site/demo.js';
import {
  closePages,
  findAxeViolations,
  openBrowser,
  openContext,
  openTab,
  type WatchedPage,
} from '../helpers/browser.js';
import { startTestServer, type TestServer } from '../helpers/test-server.js';

/** The administrator's environment, with one server and one browser per test file, and one page per test. */
export interface Desk {
  readonly browser: Browser;
  readonly server: TestServer;
  readonly page: Page;
  /** Problems that were detected on the page. Tests expect none. */
  readonly problems: readonly string[];
  /** Opens the admin page in a new tab and closes the previous tab. `prepare` is called before the first request. */
  open(hash?: string, prepare?: (page: Page) => unknown): Promise<Page>;
  /** Opens the page in an additional tab, for example for a second person. */
  openAnother(hash: string): Promise<Page>;
  send(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
}

export interface Stored {
  readonly id: number;
  readonly name?: string;
  readonly title?: string;
  readonly content?: string;
}

/**
 * Starts a server with the demo shop, which the tests of a file share. Before each test, the catalogue and the
 * announcements are reset, unless `prepare` is given.
 */
export function sitAtDesk(
  env: Readonly<Record<string, string>> = {},
  prepare: (desk: Desk) => Promise<unknown> = restoreDemo,
): Desk {
  let browser: Browser;
  let server: TestServer;
  let context: BrowserContext;
  let opened: WatchedPage | undefined;
  const others: Page[] = [];

  const address = (hash: string) => `${server.site}/admin.html${hash}`;
  const desk: Desk = {
    get browser() {
      return browser;
    },
    get server() {
      return server;
    },
    get page() {
      if (!opened) throw new Error('No page is open.');
      return opened.page;
    },
    get problems() {
      return opened?.problems ?? [];
    },
    async open(hash = '', prepare) {
      await opened?.page.close();
      // Requests that a test causes to fail also appear on the console.
      opened = await openTab(context, address(hash), {
        expected: /Failed to load resource/,
        prepare,
      });
      return opened.page;
    },
    async openAnother(hash) {
      const { page } = await openTab(context, address(hash));
      others.push(page);
      return page;
    },
    async send(method, path, body) {
      const headers = { 'Content-Type': 'application/json', ...bearer(env) };
      const answer = await fetch(server.site + path, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return (await answer.json()) as Record<string, unknown>;
    },
  };

  beforeAll(async () => {
    [browser, server] = await Promise.all([
      openBrowser(),
      startTestServer({ demo: true, only: 'site', env }),
    ]);
    context = await openContext(browser);
  });
  beforeEach(() => prepare(desk));
  afterEach(async () => {
    for (const page of [...others.splice(0), opened?.page]) await page?.close();
    opened = undefined;
  });
  afterAll(async () => {
    await closePages();
    await server?.close();
  });
  return desk;
}

function bearer({ MSGSITE_ADMIN_TOKEN: token }: Readonly<Record<string, string>>) {
  return token === undefined ? {} : { Authorization: `Bearer ${token}` };
}

/** Restores the initial content of the demo shop. */
async function restoreDemo(desk: Desk): Promise<void> {
  const kinds = { products: demoContent.products, announcements: demoContent.announcements };
  for (const [kind, content] of Object.entries(kinds)) {
    const path = `/api/admin/${kind}`;
    const list = kind === 'products' ? '/api/products' : path;
    const now = (await desk.send('GET', list)).data as Stored[];
    for (const [index, demo] of content.entries()) {
      const id = index + 1;
      const wanted = { id, ...demo, ...(kind === 'products' ? { order: id } : {}) };
      const thing = now.find((other) => other.id === id);
      if (!thing) await desk.send('POST', `${path}/${id}/restore`);
      if (!isDeepStrictEqual(thing, wanted)) await desk.send('PUT', `${path}/${id}`, wanted);
    }
    for (const { id } of now) {
      if (id > content.length) await desk.send('DELETE', `${path}/${id}`);
    }
  }
}

/** Returns the text that a screen reader reads after the name of a field. */
export async function describedBy(page: Page, label: string): Promise<string> {
  const ids = await page.getByLabel(label, { exact: true }).getAttribute('aria-describedby');
  const texts = (ids ?? '').split(' ').map((id) => page.locator(`[id="${id}"]`).textContent());
  return (await Promise.all(texts)).join(' ');
}

/** Returns the name or text of the focused element. */
export function focused(page: Page): Promise<string> {
  return page.evaluate<string>(
    '(document.activeElement.ariaLabel || document.activeElement.name || document.activeElement.textContent).trim()',
  );
}

/** The width of the window in pixels, and the color scheme. */
export type Look = readonly [width: 1280 | 320, colorScheme: 'light' | 'dark'];

/**
 * Expects that axe finds no violations and that nothing is wider than the window. One pass checks all rules. A second
 * pass checks only the rules about colors, with the opposite color scheme and width. The combinations are distributed
 * over the states of the admin page, so that each of them occurs often.
 */
export async function lookAround(page: Page, ...[width, colorScheme]: Look): Promise<void> {
  await lookAt(page, [width, colorScheme], 'everything');
  const opposite: Look = [width === 1280 ? 320 : 1280, colorScheme === 'dark' ? 'light' : 'dark'];
  await lookAt(page, opposite, 'colours');
}

async function lookAt(
  page: Page,
  [width, colorScheme]: Look,
  about: Parameters<typeof findAxeViolations>[1],
): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  await page.emulateMedia({ colorScheme });
  expect(await findAxeViolations(page, about), `${width} px, ${colorScheme}`).toEqual([]);
  const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await page.evaluate(wider), `${width} px`).toBe(0);
}
