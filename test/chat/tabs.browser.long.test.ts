import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ChatClient } from '../../src/pages/chat/types.js';
import { closePages, openBrowser, openPage } from '../helpers/browser.js';
import { startTestServer, type TestServer } from '../helpers/test-server.js';
import { realParts, signedUp, texts, until } from './real-clients.js';

// These tests require a real browser for locks, storage events, closed tabs and caches.

/** The chat client as a script that declares `chat`. */
const chatClient = await bundleClient();

async function bundleClient(): Promise<string> {
  const contents = `export * from './client.js'; export * from './browser.js';`;
  const resolveDir = fileURLToPath(new URL('../../src/pages/chat', import.meta.url));
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    globalName: 'chat',
    target: 'chrome123',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

let browser: Browser;
let server: TestServer;
let context: BrowserContext;
let first: Page;
let other: ChatClient;
let chatId: number;
let people = 0;

beforeAll(async () => {
  const env = { MSGSITE_RATE_LIMIT: 'off' };
  [browser, server] = await Promise.all([openBrowser(), startTestServer({ only: 'site', env })]);
});
afterAll(async () => {
  await closePages();
  await server?.close();
});

beforeEach(async () => {
  ({ page: first } = await openPage(browser, `${server.site}/icon.svg`));
  context = first.context();
  people += 1;
  const made = await signedUp(realParts(server.site), `Other${people}`);
  other = made.client;
  await begin(first);
  const account = { username: 'Tabs', email: `tabs${people}@shop.kz`, password: 'apricot and nut' };
  chatId = await first.evaluate<number>(`(async () => {
    await client.signUp(${JSON.stringify(account)});
    return (await client.createPrivate(${made.id})).id;
  })()`);
  other.openChat(chatId);
  await first.evaluate(`client.openChat(${chatId})`);
});
afterEach(async () => {
  other?.stop();
  await context?.close();
});

/** Creates a client in a page, as the chat page does. */
async function begin(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    ${chatClient}
    window.client = chat.createChatClient(chat.browserParts());
    window.counts = [];
    window.shown = (id) => {
      const { messages, outgoing } = client.state().rooms[id] ?? { messages: [], outgoing: [] };
      return [...messages, ...outgoing].map(({ text }) => text).join();
    };
    client.subscribe(() => counts.push(shown(${chatId ?? 0})));
    chat.followBrowser(client);
    client.start();
  })()`);
}

async function newTab(): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${server.site}/icon.svg`);
  await begin(page);
  await page.evaluate(`client.openChat(${chatId})`);
  return page;
}

const post = (page: Page, text: string) =>
  page.evaluate(`client.post(${chatId}, { text: ${JSON.stringify(text)} })`);

const isTrue = (page: Page, condition: string) =>
  expect.poll(() => page.evaluate(condition), { interval: 25 }).toBe(true);

const shows = (page: Page, expected: string) =>
  isTrue(page, `shown(${chatId}) === '${expected}' && client.state().outbox.length === 0`);

/** Counts the posts that a page sends. */
function countPosts(page: Page): { count: number } {
  const counted = { count: 0 };
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/messages')) counted.count += 1;
  });
  return counted;
}

describe('several tabs of a browser', () => {
  it('send posts through one of them, and show each post once', async () => {
    const second = await newTab();
    const counted = [first, second].map(countPosts);
    await shows(second, '');
    for (const text of ['a', 'b', 'c']) await post(second, text);
    for (const page of [first, second]) await shows(page, 'a,b,c');
    await until(other, () => texts(other, chatId).join() === 'a,b,c');
    expect(counted.map(({ count }) => count)).toEqual([3, 0]);
    const seen = await second.evaluate<string[]>('counts');
    expect([...new Set(seen.filter(Boolean))]).toEqual(['a', 'a,b', 'a,b,c']);
  });

  it('leave connections for posts, even if the maximum number of tabs is open', async () => {
    const held = new Set<Request>();
    context.on('request', (request) => {
      if (request.url().includes('wait=')) held.add(request);
    });
    context.on('requestfinished', (request) => held.delete(request));
    context.on('requestfailed', (request) => held.delete(request));
    const tabs = [first];
    while (tabs.length < 8) tabs.push(await newTab());
    const last = tabs.at(-1) ?? first;
    for (const tab of tabs) await isTrue(tab, "client.state().connection.state === 'online'");
    await post(last, 'a');
    for (const tab of tabs) await shows(tab, 'a');
    await until(other, () => texts(other, chatId).join() === 'a');
    // A browser has six connections to a site. Held requests must leave some of them for posts.
    await expect.poll(() => held.size).toBeGreaterThan(0);
    expect(held.size).toBeLessThanOrEqual(3);
  });

  it('take over unsent posts of a closed tab', async () => {
    await first.route('**/messages', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    const second = await newTab();
    await post(first, 'left behind');
    await isTrue(second, 'client.state().outbox.length === 1');
    await post(second, 'and behind it');
    await first.close();
    await shows(second, 'left behind,and behind it');
    await until(other, () => texts(other, chatId).length === 2);
  });

  it('follow a sign-out and a sign-in in another tab', async () => {
    const second = await newTab();
    await isTrue(second, "client.state().connection.state === 'online'");
    await first.evaluate('client.signOut()');
    await isTrue(second, "client.state().phase === 'signed-out'");
    for (const tab of [first, second]) {
      await isTrue(tab, 'localStorage.length === 0');
      expect(await tab.evaluate('client.state().endedElsewhere')).toBe(false);
    }
    const account = { email: `tabs${people}@shop.kz`, password: 'apricot and nut' };
    await second.evaluate(`client.signIn(${JSON.stringify(account)})`);
    await isTrue(first, 'client.state().chats?.length === 1');
  });
});

describe('a tab of a browser', () => {
  it('keeps an unsent post across a reload, and sends it once', async () => {
    let posts = 0;
    await context.route('**/messages', async (route) => {
      const isPost = route.request().method() === 'POST';
      if (!isPost || ++posts > 1) return route.continue();
      // The server stores the post, but the page does not receive the response.
      await route.fetch();
      await route.abort();
    });
    await post(first, 'kept');
    await isTrue(first, "client.state().outbox[0]?.state === 'waiting'");
    await first.reload();
    await begin(first);
    await first.evaluate(`client.openChat(${chatId})`);
    await shows(first, 'kept');
    await until(other, () => texts(other, chatId).length > 0);
    expect(texts(other, chatId)).toEqual(['kept']);
  });

  it('receives messages from others through a single waiting request', async () => {
    const queries: string[] = [];
    first.on('request', (request) => queries.push(new URL(request.url()).search));
    await isTrue(first, "client.state().connection.state === 'online'");
    await first.evaluate('client.wake()');
    await expect.poll(() => queries.at(-1)).toBe('?wait=25');
    other.post(chatId, { text: 'Hello' });
    await shows(first, 'Hello');
    expect(await first.evaluate('client.state().chats[0].unread')).toBe(1);
    await first.evaluate(`client.markRead(${chatId})`);
    expect(await first.evaluate('client.state().chats[0].unread')).toBe(0);
  });

  it('recovers automatically after the network does', async () => {
    await isTrue(first, "client.state().connection.state === 'online'");
    await context.setOffline(true);
    await post(first, 'written under way');
    await isTrue(first, "client.state().connection.state !== 'online'");
    await context.setOffline(false);
    await shows(first, 'written under way');
  });
});
