import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import { type Look, lookAround, sitAtDesk } from './admin-desk.js';

const desk = sitAtDesk();

interface State {
  readonly name: string;
  readonly hash: string;
  readonly look: Look;
  /** Responses that replace those of the service, by address pattern. */
  readonly answers?: Readonly<Record<string, { status: number; body: unknown }>>;
  /** Brings the loaded page into the state. */
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
    hash: '#products',
    look: [320, 'light'],
    answers: { '**/api/products': emptyList },
    reach: (page) => see(page, 'No products yet'),
  },
  {
    name: 'the admin page when nothing can be loaded',
    hash: '',
    look: [1280, 'dark'],
    answers: { '**/api/products': unavailable },
    reach: (page) => see(page, 'The products could not be loaded'),
  },
  {
    name: 'the confirmation of a deletion',
    hash: '',
    look: [320, 'dark'],
    reach: async (page) => {
      await page.getByRole('button', { name: 'Delete Cold brew' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'the news',
    hash: '#announcements',
    look: [1280, 'light'],
    reach: (page) => see(page, 'Winter hours'),
  },
  {
    name: 'the editor of news',
    hash: '#announcements/2',
    look: [320, 'dark'],
    reach: (page) => page.getByLabel('Title').waitFor(),
  },
  {
    name: 'the shop details and the front page',
    hash: '#shop',
    look: [1280, 'light'],
    reach: (page) => page.getByLabel('Subtitle').waitFor(),
  },
  {
    name: 'a message at the bottom of the page',
    hash: '#shop',
    look: [320, 'light'],
    reach: async (page) => {
      await page.getByLabel('Subtitle').fill(`Saved ${Date.now()}`);
      await page.keyboard.press('Control+s');
      await see(page, 'The front page is saved');
    },
  },
  {
    name: 'the prompt for the token',
    hash: '#announcements',
    look: [1280, 'dark'],
    answers: { '**/api/admin/announcements': unauthorized },
    reach: (page) => page.getByRole('textbox', { name: 'Admin token' }).waitFor(),
  },
];

describe('the admin page', () => {
  it.each(states)(
    'has no axe violations in any theme and size: $name',
    async ({ hash, look, answers = {}, reach }) => {
      const page = await desk.open(hash, async (tab) => {
        for (const [pattern, { status, body }] of Object.entries(answers)) {
          await tab.route(pattern, (route) => route.fulfill({ status, json: body }));
        }
      });
      await reach(page);
      await lookAround(page, ...look);
    },
  );
});

function see(page: Page, text: string): Promise<void> {
  return page.getByText(text).first().waitFor();
}
