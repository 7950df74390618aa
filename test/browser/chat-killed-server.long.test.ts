import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type KillableServer, startKillable } from '../chat/killable-server.js';
import { closePages, openBrowser, openPage } from '../helpers/browser.js';
import { shownTexts, signIn, somebody } from './chat-people.js';

let browser: Browser;
let server: KillableServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), startKillable()]);
});

afterAll(async () => {
  await closePages();
  await server?.close();
});

async function write(page: Page, text: string): Promise<void> {
  await page.getByPlaceholder('Message').fill(text);
  await page.getByPlaceholder('Message').press('Enter');
}

it('two people see every message once and in the same order even if the server is killed', async () => {
  const { site } = server;
  const [one, other] = [await somebody(site, 'Erlan'), await somebody(site, 'Saule')];
  const { chat } = await one.call('POST', '/api/chats', {
    type: 'private',
    participantId: other.id,
  });
  const away = { locale: 'en-GB', expected: /Failed to load resource|net::ERR_/ };
  const open = () => openPage(browser, `${site}/chat.html`, away);
  const [mine, theirs] = [await open(), await open()];
  await signIn(mine.page, one);
  await signIn(theirs.page, other);
  await mine.page.locator(`[href="#chat-${chat.id}"]`).click();

  const texts: string[] = [];
  const say = async (text: string) => {
    await write(mine.page, `${text} of Erlan`);
    texts.push(`${text} of Erlan`);
  };
  await say('first');
  // A person who has not opened the chat has one unread message for each post, even after the server was killed.
  await expect.poll(() => theirs.page.title()).toBe('(1) Chats');
  // test/chat/killed-server.long.test.ts kills the server several times.
  await say('before');
  await server.kill();
  await say('meanwhile');
  await server.restart();
  await say('after');
  await expect.poll(() => mine.page.locator('.outgoing').count()).toBe(0);
  await expect.poll(() => theirs.page.title()).toBe(`(${texts.length}) Chats`);
  await theirs.page.locator(`[href="#chat-${chat.id}"]`).click();
  await expect.poll(() => shownTexts(theirs.page)).toEqual(texts);
  await expect.poll(() => theirs.page.title()).toBe('Chats');
  await write(theirs.page, 'heard you');
  await expect.poll(() => shownTexts(mine.page)).toEqual([...texts, 'heard you']);
  await expect.poll(() => mine.page.locator('[data-state="read"]').count()).toBe(texts.length);

  const { messages } = await one.call('GET', `/api/chats/${chat.id}/messages`);
  expect(messages.map(({ text }: { text: string }) => text)).toEqual([...texts, 'heard you']);
  expect([...mine.problems, ...theirs.problems]).toEqual([]);
  await Promise.all([mine, theirs].map(({ page }) => page.context().close()));
});
