import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closePages, openBrowser, openPage } from '../helpers/browser.js';
import { startTestServer, type TestServer } from '../helpers/test-server.js';
import { password, type Somebody, shownTexts, signIn, somebody } from './chat-people.js';

let browser: Browser;
let server: TestServer;
const english = { locale: 'en-GB' };
const adminToken = 'a-token-of-the-shop';

beforeAll(async () => {
  [browser, server] = await Promise.all([
    openBrowser(),
    startTestServer({
      only: 'site',
      env: { MSGSITE_RATE_LIMIT: 'off', MSGSITE_ADMIN_TOKEN: adminToken },
    }),
  ]);
});

afterAll(async () => {
  await closePages();
  await server?.close();
});

const chatPage = () => `${server.site}/chat.html`;

/** Opens the page of a signed-in user, in a separate browser context. */
async function openAs(who: Somebody, options: Parameters<typeof openPage>[2] = {}) {
  const opened = await openPage(browser, chatPage(), { ...english, ...options });
  await signIn(opened.page, who);
  return opened;
}

/** Returns the focused element's name as a screen reader announces it. */
function focused(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const element = document.activeElement;
    if (element === document.body) return '(nothing)';
    const label = element.labels?.[0]?.textContent ?? element.getAttribute('aria-label');
    return (label ?? element.textContent).trim();
  })()`);
}

/** Presses Tab until an element with this name has the focus. */
async function tabTo(page: Page, name: string, key = 'Tab'): Promise<void> {
  const passed: string[] = [];
  for (let step = 0; step < 40; step += 1) {
    const now = await focused(page);
    if (now.includes(name)) return;
    passed.push(now.slice(0, 40));
    await page.keyboard.press(key);
  }
  throw new Error(`Tab does not reach ${name}: ${passed.join(' | ')}`);
}

function pressAll(page: Page, ...keys: string[]): Promise<void> {
  return keys.reduce(
    (before, key) => before.then(() => page.keyboard.press(key)),
    Promise.resolve(),
  );
}

/** Types a search that matches one person. Otherwise, Tab could reach a name in the previous list. */
async function searchFor(page: Page, people: Locator, text: string): Promise<void> {
  await people.nth(1).waitFor();
  await page.keyboard.insertText(text);
  await people.nth(1).waitFor({ state: 'detached' });
  await people.waitFor();
}

describe('the chat page without a mouse', () => {
  it('allows signing up, starting a chat, writing, reading, and creating and leaving a group', async () => {
    const other = await somebody(server.site, 'Aliya Keyboard');
    await somebody(server.site, 'Zhanar Other');
    const { page, problems } = await openPage(browser, chatPage(), english);
    const { keyboard } = page;

    await tabTo(page, 'Name');
    await keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Name');
    await page.locator('[name="name"][aria-invalid="true"]').waitFor();
    await keyboard.type('Dana');
    await tabTo(page, 'E-mail');
    await keyboard.type('dana.keyboard@example.com');
    await tabTo(page, 'Password');
    await keyboard.type(password);
    await keyboard.press('Enter');

    await page.getByText('No chats yet').waitFor();
    await tabTo(page, 'New chat');
    await keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Name of the person');
    await searchFor(page, page.getByRole('button', { name: /^(Aliya|Zhanar)/ }), 'aliya key');
    await tabTo(page, 'Aliya Keyboard');
    await keyboard.press('Enter');

    await expect.poll(() => focused(page)).toContain('Message to');
    await keyboard.type('Hello');
    await keyboard.press('Shift+Enter');
    await keyboard.type('and good morning');
    await keyboard.press('Enter');
    await expect.poll(() => shownTexts(page)).toEqual(['Hello\nand good morning']);
    await expect.poll(() => focused(page)).toContain('Message to');

    await tabTo(page, 'Stickers', 'Shift+Tab');
    await pressAll(page, 'Enter', 'ArrowRight', 'Enter');
    await page.getByAltText('Sticker: Thanks').waitFor();
    await expect.poll(() => focused(page)).toContain('Message to');
    await tabTo(page, 'Emoji', 'Shift+Tab');
    await pressAll(page, 'Enter', 'ArrowDown', 'Escape');
    await expect.poll(() => focused(page)).toBe('Emoji');

    // Both messages are shown before they have been sent.
    await expect.poll(() => page.locator('[data-state="sent"]').count()).toBe(2);
    const { chats } = await other.call('GET', '/api/chats');
    const chatId = chats[0].id;
    expect(chats[0]).toMatchObject({ unread: 2, lastMessage: { type: 'sticker', text: 'thanks' } });
    await other.call('PUT', `/api/chats/${chatId}/read`, { messageId: chats[0].lastMessage.id });
    await expect.poll(() => page.locator('[data-state="read"]').count()).toBe(2);
    await other.call('POST', `/api/chats/${chatId}/messages`, { text: 'Good morning!' });
    await expect.poll(() => shownTexts(page)).toContain('Good morning!');
    const live = page.locator('body > [role="status"]');
    await expect.poll(() => live.textContent()).toMatch(/Aliya Keyboard.*Good morning!/);

    await tabTo(page, 'New chat', 'Shift+Tab');
    await keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Name of the person');
    await tabTo(page, 'People', 'Shift+Tab');
    await keyboard.press('ArrowRight');
    await expect.poll(() => focused(page)).toBe('New group');
    await tabTo(page, 'Name of the group');
    await keyboard.type('Early shift');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Early shift' }).waitFor();
    await expect.poll(() => focused(page)).toContain('Message to');

    await page.getByText('1 member').waitFor();
    await tabTo(page, '1 member', 'Shift+Tab');
    await keyboard.press('Enter');
    const details = page.getByRole('dialog');
    await details.getByLabel('Name of the person').waitFor();
    await tabTo(page, 'Name of the person');
    const toAdd = details.getByRole('button', { name: /^Add (Aliya|Zhanar)/ });
    await searchFor(page, toAdd, 'aliya key');
    await tabTo(page, 'Add Aliya Keyboard');
    await keyboard.press('Enter');
    await details.getByText('Aliya Keyboard is now a member').waitFor();
    await details.getByRole('button', { name: 'Remove Aliya Keyboard' }).waitFor();
    await keyboard.press('Escape');
    await expect.poll(() => focused(page)).toContain('2 members');
    await keyboard.press('Enter');
    await details.getByRole('button', { name: 'Leave group' }).waitFor();
    await tabTo(page, 'Leave group');
    await keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Cancel');
    await tabTo(page, 'Leave group');
    await keyboard.press('Enter');
    await page.getByText('Choose a chat').waitFor();
    // The row was removed with the group, but the focus is not lost.
    await expect.poll(() => page.evaluate('document.activeElement === document.body')).toBe(false);
    const owned = (await other.call('GET', '/api/chats')).chats;
    expect(owned[0]).toMatchObject({ name: 'Early shift', ownerId: other.id, participantCount: 1 });

    await tabTo(page, 'Aliya Keyboard');
    await pressAll(page, 'ArrowUp', 'ArrowDown', 'Enter');
    await expect.poll(() => focused(page)).toContain('Message to');
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe('two people who write to each other', () => {
  it('see every message once and in order, even after going offline and reloading', async () => {
    const [one, other] = await Promise.all([
      somebody(server.site, 'Erlan'),
      somebody(server.site, 'Saule'),
    ]);
    const { chat } = await one.call('POST', '/api/chats', {
      type: 'private',
      participantId: other.id,
    });
    const expected = /Failed to load resource|net::ERR_INTERNET_DISCONNECTED/;
    const [mine, theirs] = await Promise.all([openAs(one, { expected }), openAs(other)]);
    for (const { page } of [mine, theirs]) await page.locator(`[href="#chat-${chat.id}"]`).click();
    const write = async (page: Page, text: string) => {
      await page.getByPlaceholder('Message').fill(text);
      await page.getByPlaceholder('Message').press('Enter');
    };

    await write(mine.page, 'one');
    await expect.poll(() => shownTexts(theirs.page)).toEqual(['one']);
    // The other person may see the message before the response arrives here.
    await expect.poll(() => mine.page.locator('.outgoing').count()).toBe(0);
    await mine.page.context().setOffline(true);
    await write(mine.page, 'two');
    await write(mine.page, 'three');
    await mine.page.getByText('You are offline. Your messages will be sent').waitFor();
    await expect.poll(() => mine.page.locator('.outgoing').count()).toBe(2);
    await write(theirs.page, 'meanwhile');

    // Simulates a page that can be reloaded but cannot send yet.
    await mine.page.route('**/api/chats/*/messages', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await mine.page.context().setOffline(false);
    await mine.page.reload();
    await expect.poll(() => shownTexts(mine.page)).toEqual(['one', 'meanwhile', 'two', 'three']);
    await expect.poll(() => mine.page.locator('.outgoing').count()).toBe(2);

    await mine.page.unroute('**/api/chats/*/messages');
    const all = ['one', 'meanwhile', 'two', 'three'];
    await expect.poll(() => shownTexts(theirs.page)).toEqual(all);
    await expect.poll(() => mine.page.locator('.outgoing').count()).toBe(0);
    await expect.poll(() => shownTexts(mine.page)).toEqual(all);
    const { messages } = await one.call('GET', `/api/chats/${chat.id}/messages`);
    expect(messages.map(({ text }: { text: string }) => text)).toEqual(all);
    expect(theirs.problems).toEqual([]);
    expect(mine.problems).toEqual([]);
    await Promise.all([mine, theirs].map(({ page }) => page.context().close()));
  });
});

describe('a long chat', () => {
  it('opens at the first new message, loads earlier messages without jumping, and counts new messages below', async () => {
    const [reader, writer] = await Promise.all([
      somebody(server.site, 'Reader'),
      somebody(server.site, 'Writer'),
    ]);
    const { chat } = await writer.call('POST', '/api/chats', { type: 'group', name: 'Long' });
    await writer.call('POST', `/api/groups/${chat.id}/members`, { userId: reader.id });
    const post = (text: string) => writer.call('POST', `/api/chats/${chat.id}/messages`, { text });
    const { message } = await post('message 0');
    for (let number = 1; number < 150; number += 1) await post(`message ${number}`);
    await reader.call('PUT', `/api/chats/${chat.id}/read`, { messageId: message.id + 119 });

    const { page, problems } = await openAs(reader);
    await expect.poll(() => page.title()).toBe('(30) Chats');
    await page.getByText('30 unread messages').waitFor({ state: 'attached' });
    // A headless browser is treated as visible, so the messages that it shows are marked as read.
    await page.locator(`[href="#chat-${chat.id}"]`).click();
    const line = page.getByText('New messages', { exact: true });
    await line.waitFor();
    await expect.poll(() => isInSight(page, '.new-row')).toBe(true);
    expect(await page.locator('.new-row + .message .message-text').textContent()).toBe(
      'message 120',
    );
    expect(await page.title()).toBe('(30) Chats');

    await page.getByRole('button', { name: 'Go to the latest message' }).click();
    await expect.poll(() => page.title()).toBe('Chats');
    const mark = async () => (await reader.call('GET', '/api/chats')).chats[0].unread;
    await expect.poll(mark).toBe(0);

    const first = (await shownTexts(page))[0] ?? '';
    expect(first).toBe('message 50');
    await page.evaluate('document.querySelector(".scroller").scrollTop = 700');
    const wasAt = await topOf(page, 'message 70');
    await page.evaluate('document.querySelector(".scroller").scrollTop = 500');
    await expect.poll(async () => (await shownTexts(page))[0]).toBe('message 0');
    expect(Math.abs((await topOf(page, 'message 70')) - wasAt - 200)).toBeLessThan(2);

    await post('from below');
    await page.getByRole('button', { name: 'Go to the latest message, 1 new message' }).click();
    await expect.poll(() => isInSight(page, '.message:last-child')).toBe(true);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

function isInSight(page: Page, selector: string): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const { top, bottom } = document.querySelector('${selector}').getBoundingClientRect();
    const box = document.querySelector('.scroller').getBoundingClientRect();
    return top >= box.top && bottom <= box.bottom + 1;
  })()`);
}

/** Returns the distance from the top of the window to a message, in pixels. */
function topOf(page: Page, text: string): Promise<number> {
  return page.evaluate<number>(`[...document.querySelectorAll('.message')]
    .find((message) => message.querySelector('.message-text').textContent === '${text}')
    .getBoundingClientRect().top`);
}

const hostile = [
  '<img src=x onerror="document.title=1"><script>document.title=2</script>',
  '\u202egnp.exe txet',
  '👩‍👩‍👧‍👦'.repeat(5),
  '𒐫'.repeat(64),
  '\u200b\u200d\u2060',
  'W'.repeat(64),
  `Z${'\u0335\u0321\u0322'.repeat(21)}`,
  '{name} $& $1 %s',
];

describe('hostile names and texts', () => {
  it('remain text, do not reverse other text, and do not break the layout', async () => {
    const reader = await somebody(server.site, hostile[0]?.slice(0, 64) ?? '');
    const { chat } = await reader.call('POST', '/api/chats', {
      type: 'group',
      name: 'W'.repeat(200),
    });
    for (const name of hostile) {
      const writer = await somebody(server.site, name.slice(0, 64));
      await reader.call('POST', `/api/groups/${chat.id}/members`, { userId: writer.id });
      const path = `/api/chats/${chat.id}/messages`;
      await writer.call('POST', path, { text: name });
      await writer.call('POST', path, { text: name, type: 'sticker' });
      await writer.call('POST', path, { text: name.repeat(20).slice(0, 4000), type: 'emoji' });
      const { chat: own } = await writer.call('POST', '/api/chats', {
        type: 'private',
        participantId: reader.id,
      });
      await writer.call('POST', `/api/chats/${own.id}/messages`, { text: name });
    }
    await reader.call('POST', `/api/chats/${chat.id}/messages`, { text: 'bread', type: 'sticker' });

    const { page, problems } = await openAs(reader);
    await page.locator(`[href="#chat-${chat.id}"]`).click();
    await expect.poll(() => shownTexts(page)).toHaveLength(hostile.length * 3);
    const texts = await shownTexts(page);
    expect(texts.filter((_, index) => index % 3 === 0)).toEqual(hostile);
    expect(texts.filter((_, index) => index % 3 === 1)).toEqual(hostile);
    expect(await page.getByAltText('Sticker: Bread').count()).toBe(1);
    await page.locator('.room-title').click();
    await page.getByRole('dialog').getByText('9 members').waitFor();
    await expect.poll(() => page.locator('.people li').count()).toBeGreaterThan(7);
    expect(
      await page.locator('#page script, #page .message img:not(.avatar, .sticker)').count(),
    ).toBe(0);
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(() => widest(page), { message: `${width} px` }).toBeLessThanOrEqual(width);
      await page.keyboard.press('Escape');
      await expect.poll(() => widest(page), { message: `${width} px` }).toBeLessThanOrEqual(width);
    }
    expect(await page.title()).toMatch(/^(\(\d+\) )?Chats$/);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('do not load pictures from a different origin, and a generated picture is shown instead', async () => {
    const reader = await somebody(server.site, 'Picture reader');
    const writer = await somebody(server.site, 'Алия Нур');
    await writer.call('PUT', '/api/users/me', { avatar: 'https://tracker.example/pixel.png' });
    const { chat } = await writer.call('POST', '/api/chats', {
      type: 'private',
      participantId: reader.id,
    });
    const { page, problems } = await openAs(reader);
    const avatar = page.locator(`[href="#chat-${chat.id}"] .avatar`);
    const drawn = `/avatars/user/${writer.id}/${encodeURIComponent('АН')}.svg`;
    await expect.poll(() => avatar.getAttribute('src')).toBe(drawn);
    await expect
      .poll(() => page.evaluate(`document.querySelector('[src="${drawn}"]').naturalWidth`))
      .toBe(96);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

/** Returns the right edge of the widest element that is not clipped. */
function widest(page: Page): Promise<number> {
  return page.evaluate(`Math.max(
    document.documentElement.scrollWidth,
    ...[...document.querySelectorAll('.bubble, .room-head, .person, .dialog-head h2, .chat-row')]
      .map((element) => Math.ceil(element.getBoundingClientRect().right)))`);
}

describe('channels and drafts', () => {
  it('a channel can be found, read and left, and the draft in a different chat is kept', async () => {
    const [owner, reader] = await Promise.all([
      somebody(server.site, 'Owner'),
      somebody(server.site, 'Subscriber'),
    ]);
    const { chat } = await owner.call('POST', '/api/chats', {
      type: 'channel',
      name: 'Ёлки и хлеб',
    });
    await owner.call('POST', '/api/chats', { type: 'channel', name: 'Snow' });
    const { chat: group } = await reader.call('POST', '/api/chats', {
      type: 'group',
      name: 'Notes',
    });
    const { page, problems } = await openAs(reader);
    await page.locator(`[href="#chat-${group.id}"]`).click();
    await page.getByPlaceholder('Message').fill('not sent yet');

    await page.getByRole('button', { name: 'New chat' }).click();
    await page.getByRole('tab', { name: 'Find channels' }).click();
    await page.getByRole('button', { name: /Snow/ }).waitFor();
    await page.getByLabel('Name of the channel').fill('елки');
    // A click before the list is filtered would be lost when the list is rendered again.
    await page.getByRole('button', { name: /Snow/ }).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: /Ёлки и хлеб\s*Subscribe/ }).click();
    await page.getByText('Only the owner of this channel can post here.').waitFor();
    await owner.call('POST', `/api/chats/${chat.id}/messages`, { text: '🎉', type: 'emoji' });
    await page.locator('.message.emoji').waitFor();
    await page.locator('.room-title').click();
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await page.locator('.question').getByRole('button', { name: 'Unsubscribe' }).click();
    await page.getByText('Choose a chat').waitFor();
    await expect.poll(() => page.locator(`[href="#chat-${chat.id}"]`).count()).toBe(0);

    await reader.call('POST', `/api/groups/${group.id}/members`, { userId: owner.id });
    await page.locator(`[href="#chat-${group.id}"]`).click();
    await page.getByText('2 members').waitFor();
    await page.locator('.room-title').click();
    await page.getByRole('button', { name: 'Write to Owner' }).click();
    await page.getByLabel('Message to Owner').waitFor();
    await page.goBack();
    await page.getByText('2 members').waitFor();
    await expect.poll(() => page.getByPlaceholder('Message').inputValue()).toBe('not sent yet');
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe('problems outside the chat page', () => {
  it('full storage is reported, and messages can still be sent', async () => {
    const who = await somebody(server.site, 'Full');
    const { chat } = await who.call('POST', '/api/chats', { type: 'group', name: 'Storage' });
    const { page, problems } = await openPage(browser, `${server.site}/icon.svg`, english);
    await page.addInitScript(`Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };`);
    await page.goto(chatPage());
    await signIn(page, who);
    await page.getByText('This browser does not store data for this page').waitFor();
    await page.locator(`[href="#chat-${chat.id}"]`).click();
    await page.getByPlaceholder('Message').fill('kept in memory');
    await page.getByPlaceholder('Message').press('Enter');
    await expect.poll(() => shownTexts(page)).toEqual(['kept in memory']);
    await expect.poll(() => page.locator('.outgoing').count()).toBe(0);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it.each([
    ['a year behind', -365 * 86_400_000],
    ['ten years ahead', 3650 * 86_400_000],
  ])(
    'a clock that is %s does not prevent sending, and days are shown with the year',
    async (_, off) => {
      const who = await somebody(server.site, 'Clock');
      const { chat } = await who.call('POST', '/api/chats', { type: 'group', name: 'Clock' });
      await who.call('POST', `/api/chats/${chat.id}/messages`, { text: 'before' });
      const { page, problems } = await openPage(browser, `${server.site}/icon.svg`, english);
      await page.addInitScript(`{
      const Real = Date;
      const off = ${off};
      globalThis.Date = class extends Real {
        constructor(...given) { given.length === 0 ? super(Real.now() + off) : super(...given); }
        static now() { return Real.now() + off; }
      };
    }`);
      await page.goto(chatPage());
      await signIn(page, who);
      await page.locator(`[href="#chat-${chat.id}"]`).click();
      await page.getByPlaceholder('Message').fill('after');
      await page.getByPlaceholder('Message').press('Enter');
      await expect.poll(() => shownTexts(page)).toEqual(['before', 'after']);
      await expect.poll(() => page.locator('.outgoing').count()).toBe(0);
      const day = await page.locator('.day-row').first().textContent();
      expect(day).toMatch(new RegExp(`^\\d+ \\w+ ${new Date().getFullYear()}$`));
      expect(problems).toEqual([]);
      await page.context().close();
    },
  );

  it('a session that was ended on a different device is reported, and the user can sign in again', async () => {
    const who = await somebody(server.site, 'Ended');
    const expected = /status of 401/;
    const { page, problems } = await openAs(who, { expected });
    await who.call('POST', '/api/auth/logout-all');
    await page.getByText('You have been signed out').waitFor();
    await expect.poll(() => page.title()).toBe('Chats');
    await expect.poll(() => page.evaluate('document.activeElement === document.body')).toBe(false);
    await signIn(page, who);
    await page.getByText('No chats yet').waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe('the sign-in form', () => {
  it('explains errors in the selected language, and signs in with a new password', async () => {
    const who = await somebody(server.site, 'Forgetful');
    const expected = /status of 40[19]/;
    const { page, problems } = await openPage(browser, chatPage(), { locale: 'ru-RU', expected });
    await page.locator('[name="name"]').fill('Кто-то');
    await expect.poll(() => page.evaluate('document.documentElement.lang')).toBe('ru');
    await page.locator('[name="email"]').fill(who.email);
    await page.locator('[name="new-password"]').fill('мало');
    await page.locator('[name="new-password"]').press('Enter');
    await page.getByText('Нужно не меньше 8 символов.').waitFor();
    await page.locator('[name="new-password"]').fill(password);
    await page.locator('[name="new-password"]').press('Enter');
    await page.getByText('Учётная запись с этой почтой уже есть').waitFor();
    await page.getByRole('link', { name: 'Вход' }).click();
    await page.locator('[name="password"]').fill('not the right one');
    await page.locator('[name="email"]').fill(who.email);
    await page.locator('[name="password"]').press('Enter');
    await page.getByText('Неверный адрес эл. почты или пароль').waitFor();
    await page.getByRole('link', { name: 'Забыли пароль?' }).click();
    await page.locator('[name="code"]').fill('ABCDEFGHJK');
    await page.locator('[name="email"]').fill(who.email);
    await page.locator('[name="new-password"]').fill(password);
    await page.locator('[name="new-password"]').press('Enter');
    await page.getByText('Этот код не подходит').waitFor();
    const answer = await fetch(`${server.site}/api/admin/users/${who.id}/reset-code`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}` },
    });
    const { code } = (await answer.json()) as { code: string };
    await page.getByLabel('Язык').selectOption('kk');
    await page.getByRole('heading', { name: 'Жаңа құпиясөз' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Жаңа құпиясөз' }).waitFor();
    await expect.poll(() => page.evaluate('document.documentElement.lang')).toBe('kk');
    await page.locator('[name="email"]').fill(who.email);
    await page.locator('[name="code"]').fill(code);
    await page.locator('[name="new-password"]').fill('quinces-and-tea');
    await page.locator('[name="new-password"]').press('Enter');
    await page.getByText('Әзірге чат жоқ').waitFor();
    await expect(who.call('GET', '/api/auth/me')).rejects.toThrow('401');
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe('the settings', () => {
  it('change the name, the language, the theme and the password, and delete the account', async () => {
    const who = await somebody(server.site, 'Changing');
    // Expected for a wrong password and a pending request with the old token.
    const { page, problems } = await openAs(who, { expected: /status of 40[13]/ });
    await page.getByRole('button', { name: 'Settings' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Changed');
    await dialog.getByLabel('About you').fill('Bakes.');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Saved.').waitFor();
    const { user } = await who.call('GET', '/api/auth/me');
    expect(user).toMatchObject({ username: 'Changed', bio: 'Bakes.' });
    await dialog.getByLabel('Theme').selectOption('dark');
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await dialog.getByLabel('Language').selectOption('ru');
    await page.getByRole('dialog', { name: 'Настройки' }).waitFor();
    await expect.poll(() => focused(page)).toBe('Язык');
    await page.getByText('Сменить пароль').first().click();
    await page.getByLabel('Текущий пароль').fill('wrong one');
    await page.getByLabel('Новый пароль').fill('quinces-and-bread');
    await page.getByLabel('Новый пароль').press('Enter');
    await page.getByText('Это не ваш текущий пароль.').waitFor();
    await page.getByLabel('Текущий пароль').fill(password);
    await page.getByLabel('Новый пароль').press('Enter');
    await page.getByText('Пароль изменён').waitFor();
    await page.getByText('Удалить учётную запись').click();
    await page.getByLabel('Пароль', { exact: true }).fill('quinces-and-bread');
    await page.getByRole('button', { name: 'Удалить навсегда' }).click();
    await page.getByRole('heading', { name: 'С возвращением' }).waitFor();
    expect(await page.getByText('Вы вышли').count()).toBe(0);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe('the size of the chat page', () => {
  it('is below 45 kB of compressed scripts and styles', async () => {
    const who = await somebody(server.site, 'Weigher');
    const { page, problems } = await openPage(browser, `${server.site}/icon.svg`, {
      locale: 'kk-KZ',
    });
    const weights: Promise<number>[] = [];
    page.on('requestfinished', (request) => {
      if (!/\.(js|css)$/.test(new URL(request.url()).pathname)) return;
      weights.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
    });
    await page.goto(chatPage());
    await page.locator('[name="name"]').waitFor();
    await signIn(page, who);
    await page.waitForLoadState('load');
    const weight = (await Promise.all(weights)).reduce((sum, size) => sum + size, 0);
    expect(weight).toBeGreaterThan(20_000);
    expect(weight).toBeLessThan(45_000);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});
