import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closePages, findAxeViolations, openBrowser, openPage } from '../helpers/browser.js';
import { startTestServer, type TestServer } from '../helpers/test-server.js';
import { type Somebody, signIn, somebody } from './chat-people.js';

let browser: Browser;
let server: TestServer;
let reader: Somebody;
let writers: readonly Somebody[];
/** The account whose session ends. Each language has a new account. */
let newcomer: Somebody;
const chats: Record<'private' | 'group' | 'channel' | 'failing', number> = {
  private: 0,
  group: 0,
  channel: 0,
  failing: 0,
};

beforeAll(async () => {
  [browser, server] = await Promise.all([
    openBrowser(),
    startTestServer({ only: 'site', env: { MSGSITE_RATE_LIMIT: 'off' } }),
  ]);
  await fill();
});

afterAll(async () => {
  await closePages();
  await server?.close();
});

/** Creates users, and read and unread chats of every kind with messages of every kind. */
async function fill() {
  const names = ['Reader Readerova', 'Әлия Нұр', 'مريم', 'W'.repeat(64)];
  const [me, ...others] = await Promise.all(names.map((name) => somebody(server.site, name)));
  const other = others[0];
  if (!me || !other) throw new Error('Nobody is there.');
  reader = me;
  writers = others;
  const make = async (who: Somebody, body: unknown): Promise<number> =>
    (await who.call('POST', '/api/chats', body)).chat.id;

  chats.private = await make(me, { type: 'private', participantId: other.id });
  chats.failing = await make(me, { type: 'group', name: 'Failing' });
  chats.group = await make(me, { type: 'group', name: 'Ovens, early shift' });
  chats.channel = await make(other, { type: 'channel', name: 'Specials' });
  await make(other, { type: 'channel', name: 'Not subscribed to' });
  await me.call('POST', `/api/channels/${chats.channel}/subscribe`);
  await post(other, chats.channel, 'Saffron buns on Friday');
  for (const { id } of others) {
    await me.call('POST', `/api/groups/${chats.group}/members`, { userId: id });
  }
  await post(me, chats.private, 'See https://shop.example/bread');
  const { message } = await post(me, chats.private, 'thanks', 'sticker');
  await other.call('PUT', `/api/chats/${chats.private}/read`, { messageId: message.id });
  await post(me, chats.private, 'Sent, and not read');
}

/** Posts new messages, so that there are unread messages for each language. */
async function postNews() {
  for (const who of writers) {
    await post(who, chats.group, `From ${who.username}. ${'word '.repeat(40)}`);
  }
  const [other = reader] = writers;
  await post(other, chats.private, '❤️', 'emoji');
  await post(other, chats.private, 'New');
}

const post = (who: Somebody, chatId: number, text: string, type = 'text') =>
  who.call('POST', `/api/chats/${chatId}/messages`, { text, type });

interface State {
  readonly name: string;
  /** Returns the signed-in user; absent if nobody is signed in. */
  readonly who?: () => Somebody;
  /** Brings the initial page of `who` into the state. */
  readonly reach: (page: Page) => Promise<unknown>;
}

const openChat = async (page: Page, id: number) => {
  await page.evaluate(`location.hash = 'chat-${id}'`);
  await page.locator('.room').waitFor();
};
const openDetails = async (page: Page, id: number) => {
  await openChat(page, id);
  await page.locator('.room-title').click();
  await page.locator('dialog .details-head').waitFor();
};
const openAll = (page: Page) =>
  page.evaluate('for (const part of document.querySelectorAll("details")) part.open = true');
const asReader = () => reader;

/** The states of the page, which are visited in one page load: three without an account, and the rest with two. */
const states: readonly State[] = [
  {
    name: 'sign-up with mistakes',
    reach: async (page) => {
      await page.locator('form [type="submit"]').click();
      await page.locator('[aria-invalid]').first().waitFor();
    },
  },
  {
    name: 'a failed sign-in',
    reach: async (page) => {
      await page.evaluate('location.hash = "sign-in"');
      await page.locator('[name="password"]').fill('not a password');
      await page.locator('[name="email"]').fill('nobody@example.com');
      await page.locator('form [type="submit"]').click();
      await page.locator('.form-problem:not([hidden])').waitFor();
    },
  },
  {
    name: 'a forgotten password',
    reach: async (page) => {
      await page.evaluate('location.hash = "reset"');
      await page.locator('[name="code"]').waitFor();
    },
  },
  {
    name: 'no chats',
    who: () => newcomer,
    reach: (page) => page.locator('.list-message .notice').waitFor(),
  },
  {
    name: 'a session ended elsewhere',
    who: () => newcomer,
    reach: async (page) => {
      await newcomer.call('POST', '/api/auth/logout-all');
      await page.locator('.card-said:not(:empty)').waitFor();
    },
  },
  {
    name: 'the list of chats',
    who: asReader,
    reach: (page) => page.locator('.badge:not([hidden])').first().waitFor(),
  },
  {
    name: 'a search that finds nothing',
    who: asReader,
    reach: async (page) => {
      await page.locator('.search input').fill('zzz');
      await page.locator('.list-message .notice').waitFor();
    },
  },
  {
    name: 'a group with new messages',
    who: asReader,
    reach: async (page) => {
      await openChat(page, chats.group);
      await page.locator('.message.other.ends .avatar').first().waitFor();
    },
  },
  {
    name: 'a private chat, and the emoji',
    who: asReader,
    reach: async (page) => {
      await openChat(page, chats.private);
      await page.locator('.message .sticker').waitFor();
      await page.locator('[data-tray="emoji"]').click();
    },
  },
  {
    name: 'the stickers',
    who: asReader,
    reach: async (page) => {
      await openChat(page, chats.private);
      await page.locator('[data-tray="stickers"]').click();
    },
  },
  {
    name: 'a channel of a different owner',
    who: asReader,
    reach: async (page) => {
      await openChat(page, chats.channel);
      await page.locator('.composer-note').waitFor();
    },
  },
  {
    name: 'a chat that was removed',
    who: asReader,
    reach: async (page) => {
      await openChat(page, 999_999);
      await page.locator('.room .notice').waitFor();
    },
  },
  {
    name: 'a new chat with somebody',
    who: asReader,
    reach: async (page) => {
      await page.locator('.new-chat').click();
      await page.locator('button.person').first().waitFor();
    },
  },
  {
    name: 'channels to find',
    who: asReader,
    reach: async (page) => {
      await page.locator('.new-chat').click();
      await page.locator('[role="tab"]').last().click();
      await page.locator('.person-note').first().waitFor();
    },
  },
  {
    name: 'a new group without a name',
    who: asReader,
    reach: async (page) => {
      await page.locator('.new-chat').click();
      await page.locator('[role="tab"]').nth(1).click();
      await page.locator('dialog [type="submit"]').click();
      await page.locator('[aria-invalid]').waitFor();
    },
  },
  {
    name: 'the details of a group',
    who: asReader,
    reach: async (page) => {
      await openDetails(page, chats.group);
      await openAll(page);
      await page.locator('.people .button').first().waitFor();
    },
  },
  {
    name: 'the confirmation before leaving a group',
    who: asReader,
    reach: async (page) => {
      await openDetails(page, chats.group);
      await page.locator('.danger-quiet').click();
      await page.locator('.question').waitFor();
    },
  },
  {
    name: 'the details of a person',
    who: asReader,
    reach: async (page) => {
      await openDetails(page, chats.private);
      await page.locator('.bio').waitFor();
    },
  },
  {
    name: 'the settings',
    who: asReader,
    reach: async (page) => {
      await page.locator('.bar-settings').click();
      await openAll(page);
    },
  },
  // These two states affect later ones, so they come last.
  {
    name: 'a text that is too long, and a message that was not sent',
    who: asReader,
    reach: async (page) => {
      await page.route('**/messages', (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({ status: 409, json: { ok: false, error: 'No.', code: 'conflict' } })
          : route.continue(),
      );
      await openChat(page, chats.failing);
      await page.locator('#composer-text').fill('It is not sent');
      await page.locator('#composer-text').press('Enter');
      await page.locator('.outgoing.failed').waitFor();
      await page.locator('#composer-text').fill('a'.repeat(4001));
      await page.locator('.composer-count.wrong').waitFor();
    },
  },
  {
    name: 'no connection and no storage',
    who: asReader,
    reach: async (page) => {
      await page.evaluate(`Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError');
      }`);
      await page.route('**/api/**', (route) => route.abort());
      await openChat(page, chats.failing);
      await page.locator('#composer-text').fill('It waits');
      await page.locator('#composer-text').press('Enter');
      await page.locator('.storage-failure:not(:empty)').waitFor();
      await page.locator('[data-state="offline"]:not(:empty)').waitFor();
    },
  },
];

const locales = ['en', 'ru', 'kk'] as const;
/** A wide window, a window for one and a half columns, and a narrow window. */
const widths = [1280, 768, 320] as const;
const themes = ['light', 'dark'] as const;

const nth = <Value>(values: readonly Value[], index: number) =>
  values[index % values.length] as Value;

/**
 * Returns the two looks in which axe checks a state: one for all rules, and one in the other theme for the rules about
 * colors. Together, the states cover every pair of language, width and theme.
 */
const looksOf = (index: number) => [
  {
    about: 'everything' as const,
    locale: nth(locales, index),
    width: nth(widths, Math.floor(index / 3)),
    theme: nth(themes, index),
  },
  {
    about: 'colours' as const,
    locale: nth(locales, index + 1),
    width: nth(widths, Math.floor(index / 3) + 1),
    theme: nth(themes, index + 1),
  },
];

it('the accessibility checks cover every pair of language, width and theme, and every state in both themes', () => {
  const looks = states.flatMap((_, index) => looksOf(index));
  const whole = looks.filter(({ about }) => about === 'everything');
  const kinds = (of: (look: (typeof looks)[number]) => string) => new Set(whole.map(of)).size;
  expect(kinds(({ locale, width }) => `${locale} ${width}`)).toBe(9);
  expect(kinds(({ locale, theme }) => `${locale} ${theme}`)).toBe(6);
  expect(kinds(({ width, theme }) => `${width} ${theme}`)).toBe(6);
  for (const index of states.keys()) {
    expect(new Set(looksOf(index).map(({ theme }) => theme)).size).toBe(2);
  }
});

describe.each(locales)('the chat page in %s', (locale) => {
  it('has no axe violations and no truncated text in any state', async () => {
    newcomer = await somebody(server.site, 'Newcomer');
    await postNews();
    const { page } = await openPage(browser, `${server.site}/chat.html`, { locale });
    let who: Somebody | undefined;
    for (const [index, state] of states.entries()) {
      const next = state.who?.();
      // Signs out before a different account signs in.
      if (next && next !== who) await signIn(page, next);
      else await startAfresh(page);
      who = next;
      await page.setViewportSize({ width: 1280, height: 800 });
      await state.reach(page);
      const looks = looksOf(index).filter((look) => look.locale === locale);
      // Whether texts fit depends on the language. Contrast and sizes do not.
      for (const width of widths) {
        const at = `${state.name}, ${width} px`;
        await page.setViewportSize({ width, height: 800 });
        expect.soft(await cutOff(page), at).toEqual([]);
        for (const { theme, about } of looks.filter((look) => look.width === width)) {
          await page.emulateMedia({ colorScheme: theme });
          expect.soft(await findAxeViolations(page, about), `${at}, ${theme}`).toEqual([]);
        }
      }
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    }
    await page.context().close();
  });
});

/** Closes everything that the previous state has opened. */
async function startAfresh(page: Page) {
  await page.evaluate('for (const dialog of document.querySelectorAll("dialog")) dialog.close()');
  await page.evaluate('location.hash = ""');
  await page.evaluate(`for (const field of document.querySelectorAll('.search input')) {
    field.value = '';
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }`);
  await page.locator('.chat[data-pane="list"], .card').waitFor();
}

/** Returns the texts of elements that are truncated or extend beyond the window. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const parts = [...document.querySelectorAll('.button, .tab, .card-tabs a, .label, .hint, h2, h3')];
    const cut = parts.filter((part) => part.scrollWidth > part.clientWidth + 1);
    const outside = parts.filter((part) => part.getBoundingClientRect().right > clientWidth + 1);
    return [
      ...(scrollWidth > clientWidth ? ['the page'] : []),
      ...[...cut, ...outside].map((part) => part.textContent),
    ];
  })()`);
}
