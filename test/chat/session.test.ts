import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createScene, type Scene, shown } from './scripted-browser.js';

const day = 24 * 3_600_000;

let scene: Scene;
beforeEach(() => {
  scene = createScene();
  scene.service.chat(7, 1, 2);
});
afterEach(() => {
  scene.close();
  vi.useRealTimers();
});

const renewals = () => scene.service.count('POST', /renew$/);
const tokenKept = () =>
  JSON.parse(scene.browser.values.get('msgsite-chat.session') ?? '{}').token as string | undefined;

describe('a token that was revoked elsewhere', () => {
  it('signs out every tab and reports it, even after a reload', async () => {
    const first = await scene.signedIn(1);
    const second = scene.tab();
    await scene.clock.settle();
    expect(second.state().user?.id).toBe(1);
    scene.service.endTokens();
    await scene.clock.advance(1_000);
    const ended = { phase: 'signed-out', endedElsewhere: true, user: null, chats: null, rooms: {} };
    for (const tab of [first, second, scene.tab()]) expect(tab.state()).toMatchObject(ended);
    const before = scene.service.requests.length;
    await scene.clock.advance(120_000);
    expect(scene.service.requests).toHaveLength(before);
  });

  it('does not sign out a tab that has a newer token', async () => {
    const first = await scene.signedIn(1);
    // A frozen tab has not noticed the changes in other tabs.
    const second = scene.tab({});
    await scene.clock.settle();
    const real = second.storageChanged;
    second.storageChanged = () => {};
    scene.service.time += 100 * day;
    scene.service.endTokens();
    await first.signIn({ email: '1@service.test', password: 'apricot' });
    await scene.clock.advance(1_000);
    expect(second.state()).toMatchObject({ phase: 'signed-in', endedElsewhere: false });
    second.storageChanged = real;
  });

  it('makes actions fail with the code ended', async () => {
    const client = await scene.signedIn(1);
    scene.service.endTokens();
    await expect(client.searchPeople('a')).rejects.toMatchObject({ code: 'ended' });
    expect(() => client.post(7, { text: 'Hello' })).toThrow(
      expect.objectContaining({ code: 'ended' }),
    );
  });

  it('is not assumed after a 401 from a proxy', async () => {
    const client = await scene.signedIn(1);
    scene.service.script = async () => new Response('Who are you?', { status: 401 });
    client.wake();
    await scene.clock.settle();
    expect(client.state()).toMatchObject({ phase: 'signed-in', connection: { state: 'offline' } });
  });
});

describe('signing out', () => {
  it('clears personal data in every tab, even if the server is down', async () => {
    const first = await scene.signedIn(1);
    const second = scene.tab();
    await scene.clock.settle();
    scene.service.script = () => Promise.reject(new TypeError('No connection.'));
    first.post(7, { text: 'never sent' });
    await scene.clock.settle();
    await second.signOut();
    await scene.clock.settle();
    expect(scene.browser.values.size).toBe(0);
    for (const tab of [first, second]) {
      expect(tab.state()).toMatchObject({ phase: 'signed-out', endedElsewhere: false, outbox: [] });
    }
  });

  it('revokes the token on the server', async () => {
    const client = await scene.signedIn(1);
    const token = tokenKept();
    await client.signOut();
    expect(scene.service.requests.at(-1)).toMatchObject({ path: '/api/auth/logout', token });
  });

  it('is not undone by a renewal in progress', async () => {
    const client = await scene.signedIn(1);
    scene.service.script = async (request, serve) => {
      const response = await serve();
      if (request.path === '/api/auth/renew') await scene.clock.sleep(1_000);
      return response;
    };
    scene.service.time += 4 * day;
    client.wake();
    await scene.clock.settle();
    expect(renewals()).toBe(1);
    const leaving = client.signOut();
    await scene.clock.advance(2_000);
    await leaving;
    expect(client.state().phase).toBe('signed-out');
    expect(tokenKept()).toBeUndefined();
  });
});

describe('token renewal', () => {
  it.each([
    { passed: 0.3, expected: 0 },
    { passed: 0.4, expected: 1 },
    { passed: 0.9, expected: 1 },
  ])('happens $expected times after $passed of the lifetime', async ({ passed, expected }) => {
    const client = await scene.signedIn(1);
    const before = tokenKept();
    scene.service.time += passed * scene.service.life * 1000;
    client.wake();
    await scene.clock.advance(1_000);
    expect(renewals()).toBe(expected);
    expect(tokenKept() !== before).toBe(expected === 1);
    expect(client.state().phase).toBe('signed-in');
  });

  it.each([-400 * day, 0, 400 * day])(
    "uses the server's time even if the local clock is off by %i ms, jumps or stops",
    async (off) => {
      vi.useFakeTimers({ toFake: ['Date'], now: scene.service.time + off });
      const client = await scene.signedIn(1, { now: () => 0 });
      await scene.clock.advance(60_000);
      expect(renewals()).toBe(0);
      for (let hour = 0; hour < 10 * 24; hour += 6) {
        scene.service.time += day / 4;
        vi.setSystemTime(scene.service.time - off);
        client.wake();
        await scene.clock.advance(1_000);
      }
      // The lifetime is 600,000 s, about seven days. A token is renewed after more than a third of it.
      expect(renewals()).toBe(4);
      expect(client.state()).toMatchObject({ phase: 'signed-in', connection: { state: 'online' } });
    },
  );

  it('is retried while the old token is valid if its response was lost', async () => {
    const client = await scene.signedIn(1);
    let lost = 0;
    scene.service.script = async (request, serve) => {
      const response = await serve();
      if (request.path === '/api/auth/renew' && lost++ < 3) throw new TypeError('Broken.');
      return response;
    };
    scene.service.time += 4 * day;
    client.wake();
    await scene.clock.advance(15_000);
    expect(renewals()).toBe(4);
    scene.service.time += 61_000;
    await scene.clock.advance(60_000);
    expect(client.state()).toMatchObject({ phase: 'signed-in', connection: { state: 'online' } });
  });

  it('is done by one tab for all tabs', async () => {
    const tabs = [await scene.signedIn(1), scene.tab(), scene.tab()];
    await scene.clock.settle();
    scene.service.time += 4 * day;
    for (const tab of tabs) tab.wake();
    await scene.clock.advance(1_000);
    expect(renewals()).toBe(1);
    scene.service.time += 61_000;
    for (const tab of tabs) tab.wake();
    await scene.clock.advance(1_000);
    for (const tab of tabs) expect(tab.state().phase).toBe('signed-in');
  });

  it('leaves open chats unchanged', async () => {
    const client = await scene.signedIn(1);
    client.openChat(7);
    scene.service.say(7, 2, 'Hello');
    await scene.clock.advance(1_000);
    const { rooms } = client.state();
    scene.service.time += 4 * day;
    client.wake();
    await scene.clock.advance(1_000);
    expect(renewals()).toBe(1);
    expect(client.state().rooms).toEqual(rooms);
    expect(shown(client, 7)).toEqual(['Hello']);
  });
});

describe('tabs', () => {
  it('follow a sign-in in another tab, even of a different user', async () => {
    const first = scene.tab();
    const second = scene.tab();
    expect(second.state()).toMatchObject({ phase: 'signed-out', endedElsewhere: false });
    await first.signIn({ email: '1@service.test', password: 'apricot' });
    await scene.clock.settle();
    expect(second.state()).toMatchObject({ phase: 'signed-in', user: { id: 1 } });
    await second.signIn({ email: '2@service.test', password: 'apricot' });
    await scene.clock.settle();
    expect(first.state()).toMatchObject({ phase: 'signed-in', user: { id: 2 } });
  });

  it('sign out if the whole storage is cleared', async () => {
    const client = await scene.signedIn(1);
    scene.browser.values.clear();
    client.storageChanged(null, null);
    expect(client.state().phase).toBe('signed-out');
  });
});
