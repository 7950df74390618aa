import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAxeViolations, launchBrowser, openPage } from '../helpers/browser.js';
import { startTestServer, type TestServer } from '../helpers/test-server.js';

let browser: Browser;
let server: TestServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([
    launchBrowser(),
    startTestServer({ demo: true, only: 'site' }),
  ]);
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

interface State {
  readonly name: string;
  readonly path: string;
  /** Answers in place of the service's, by address pattern. */
  readonly answers?: Readonly<Record<string, { status: number; body: unknown } | 'never'>>;
  /** Brings the page from loaded to the state. */
  readonly reach: (page: Page) => Promise<unknown>;
}

const emptyList = { status: 200, body: { ok: true, data: [] } };
const unavailable = {
  status: 503,
  body: { ok: false, error: 'The disk is full.', code: 'storage_unavailable' },
};
const unauthorized = {
  status: 401,
  body: { ok: false, error: 'This needs the admin token.', code: 'unauthorized' },
};

const states: readonly State[] = [
  {
    name: 'the admin lists without content',
    path: '/admin.html#products',
    answers: { '**/api/products': emptyList },
    reach: (page) => see(page, 'No products yet'),
  },
  {
    name: 'the admin page when nothing can be loaded',
    path: '/admin.html',
    answers: { '**/api/products': unavailable },
    reach: (page) => see(page, 'The products could not be loaded'),
  },
  {
    name: 'the question before a deletion',
    path: '/admin.html',
    reach: async (page) => {
      await page.getByRole('button', { name: 'Delete Cold brew' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'the announcement list',
    path: '/admin.html#announcements',
    reach: (page) => see(page, 'Winter hours'),
  },
  {
    name: 'the announcement editor',
    path: '/admin.html#announcements/2',
    reach: (page) => page.getByLabel('Title').waitFor(),
  },
  {
    name: 'the settings',
    path: '/admin.html#settings',
    reach: (page) => see(page, 'Save settings'),
  },
  {
    name: 'a message at the foot of the page',
    path: '/admin.html#settings',
    reach: async (page) => {
      await page.getByLabel('Subtitle').fill(`Saved ${Date.now()}`);
      await page.getByRole('button', { name: 'Save settings' }).click();
      await see(page, 'The settings are saved');
    },
  },
  {
    name: 'the question for the token',
    path: '/admin.html#announcements',
    answers: { '**/api/admin/announcements': unauthorized },
    reach: (page) => page.getByRole('textbox', { name: 'Admin token' }).waitFor(),
  },
];

const looks = [
  { width: 1280, theme: 'light' },
  { width: 1280, theme: 'dark' },
  { width: 360, theme: 'dark' },
  { width: 360, theme: 'light' },
] as const;

describe('in light and dark, on a desktop and on a phone, axe finds nothing wrong with', () => {
  it.each(states)('$name', async ({ path, answers = {}, reach }) => {
    const { page } = await openPage(browser, 'about:blank');
    for (const [pattern, answer] of Object.entries(answers)) {
      await page.route(pattern, (route) =>
        answer === 'never'
          ? undefined
          : route.fulfill({ status: answer.status, json: answer.body }),
      );
    }
    await page.goto(server.site + path);
    await reach(page);
    for (const { width, theme } of looks) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme: theme });
      expect(await findAxeViolations(page), `${width} px, ${theme}`).toEqual([]);
      expect(await overflow(page), `${width} px, ${theme}`).toBe(0);
    }
    await page.context().close();
  });
});

/** Pixels by which the page is wider than the window. */
function overflow(page: Page): Promise<number> {
  return page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
}

function see(page: Page, text: string): Promise<void> {
  return page.getByText(text).first().waitFor();
}
