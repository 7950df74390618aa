import { expect, it, onTestFinished } from 'vitest';
import { startServe } from '../../helpers/msgsite-process.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';
import { createTestDatabase } from '../../helpers/test-database.js';
import { createMessagingClient, type Person } from '../../messaging/messaging-client.js';

it('a process wakes clients that wait at another process, even after it was killed and restarted', async () => {
  const env = {
    MSGSITE_DATABASE: await createTestDatabase(),
    MSGSITE_JWT_SECRET: 'a secret of at least thirty-two bytes!',
    MSGSITE_RATE_LIMIT: 'off',
    MSGSITE_DATA: await makeTempFolder(),
  };
  async function start() {
    const serve = await startServe(['--only', 'site'], { env });
    onTestFinished(() => void serve.child.kill('SIGKILL'));
    return { ...serve, client: await createMessagingClient(serve.site) };
  }
  const [here, other] = await Promise.all([start(), start()]);
  let there = other;
  const [ann, bob] = [await here.client.register('Ann'), await here.client.register('Bob')];
  const group = await here.client.newGroup(ann);
  const tagOf = async (who: Person) => (await here.client.list(who)).headers.get('etag') ?? '';
  /** Starts waiting for a change to the current list, including a change before the request arrives. */
  const waitHere = async (who: Person) => {
    const tag = await tagOf(who);
    return { answer: here.client.list(who, '?wait=30', tag) };
  };

  const added = await waitHere(bob);
  await there.client.add(ann, group, bob);
  expect((await added.answer).body.chats).toMatchObject([{ id: group, unread: 0 }]);

  const posted = await waitHere(bob);
  await there.client.post(ann, group, 'one');
  expect((await posted.answer).body.chats).toMatchObject([
    { unread: 1, lastMessage: { text: 'one' } },
  ]);

  await there.end('SIGKILL');
  there = await start();
  const renamed = await waitHere(bob);
  await there.client.rename(ann, group, 'Bakers');
  expect((await renamed.answer).body.chats).toMatchObject([{ name: 'Bakers' }]);

  const read = await waitHere(bob);
  const { body } = await there.client.read(bob, group);
  await there.client.mark(bob, group, body.messages[0].id);
  expect((await read.answer).body.chats).toMatchObject([{ unread: 0 }]);

  const forMessages = here.client.read(bob, group, `?after=${body.messages[0].id}&wait=30`);
  const removed = await waitHere(bob);
  await there.client.remove(ann, group, bob);
  expect((await forMessages).status).toBe(403);
  expect((await removed.answer).body.chats).toEqual([]);

  const ended = await waitHere(ann);
  await there.client.api('POST', '/api/auth/logout-all', { token: ann.token });
  expect(await here.client.statusOf(ann.token)).toBe(401);
  await there.client.newPrivate(bob, ann);
  expect((await ended.answer).status).toBe(401);
});
