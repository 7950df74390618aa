import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startServe } from '../helpers/msgsite-process.js';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { demand, signInCashier } from '../power-cut/site-client.js';
import { environment, startReceiver, writeSubscription } from '../power-cut/workload.js';

/** Creates a user and a group, and damages the second message of the group. */
async function prepare(data: string, serve: () => ReturnType<typeof startServe>) {
  const { site, end } = await serve();
  const account = { username: 'w', email: 'w@x.kz', password: 'long enough' };
  const { token } = await demand(`${site}/api/auth/register`, { body: account });
  await demand(`${site}/api/chats`, { token, body: { type: 'group', name: 'Ovens' } });
  for (const text of ['one', 'two', 'three']) {
    await demand(`${site}/api/chats/1/messages`, { token, body: { text } });
  }
  expect(await end('SIGTERM')).toBe(0);
  const file = join(data, 'messaging/messages/chats/01/1.jsonl');
  await writeFile(file, (await readFile(file, 'utf8')).replace('"two"', '"2wo"'));
  return { token, damage: { severity: 'error', file, line: 2 } };
}

it('data check reports only the damaged record while a server is under load', async () => {
  const folder = await makeTempFolder();
  const [data, webhooks] = [join(folder, 'data'), join(folder, 'webhooks.json')];
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  await writeSubscription(webhooks, receiver.url);
  const env = { ...environment, MSGSITE_WEBHOOKS: webhooks };
  const serve = async () => {
    const serving = await startServe(['--data', data], { env });
    onTestFinished(() => void serving.child.kill('SIGKILL'));
    return serving;
  };
  const { token, damage } = await prepare(data, serve);
  const { site, gateway, end } = await serve();
  const headers = await signInCashier(gateway, '77011234567');

  let isOver = false;
  const repeat = async (work: (count: number) => Promise<unknown>) => {
    for (let count = 1; !isOver; count += 1) await work(count);
  };
  const post = (writer: string) => (count: number) =>
    demand(`${site}/api/chats/1/messages`, {
      token,
      // Long texts fill the journal, which is then moved to the chat logs.
      body: { text: 'ж'.repeat(3900) },
      key: `${writer} ${count}`,
    });
  const arrive = async (count: number) => {
    const person = { username: 'x'.repeat(60), email: `${count}@x.kz`, password: 'long enough' };
    const joined = await demand(`${site}/api/auth/register`, { body: person });
    const chat = { type: 'private', participantId: 1 };
    const { id } = (await demand(`${site}/api/chats`, { token: joined.token, body: chat })).chat;
    const text = 'hello';
    await demand(`${site}/api/chats/${id}/messages`, { token: joined.token, body: { text } });
  };
  const loads = [
    ...['a', 'b', 'c', 'd'].map((writer) => repeat(post(writer))),
    repeat(arrive),
    repeat(() => demand(`${site}/api/admin/products`, { body: { name: 'Oven' } })),
    repeat(() => demand(`${gateway}/api/qr/create`, { headers, body: { amount: 1500 } })),
  ];
  const ended = Promise.allSettled(loads);
  const check = (...more: string[]) =>
    runCli(['data', 'check', '--data', data, '--json', ...more], { env: {} });
  try {
    // The loop ends when messages have been moved to the log of their chat.
    const isMoved = async () => (await stat(damage.file)).size > 1024 * 1024;
    for (let times = 1; times <= 2 || !(await isMoved()); times += 1) {
      const { exitCode, stdout } = await check();
      expect(JSON.parse(stdout).findings).toEqual([expect.objectContaining(damage)]);
      expect(exitCode).toBe(1);
    }
    const { exitCode, stdout } = await check('--repair');
    expect([exitCode, JSON.parse(stdout).code]).toEqual([1, 'data_in_use']);
  } finally {
    isOver = true;
  }
  expect((await ended).map(({ status }) => status)).toEqual(loads.map(() => 'fulfilled'));
  expect(await end('SIGTERM')).toBe(0);
});
