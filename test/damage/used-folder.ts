import { join } from 'node:path';
import { startServe } from '../helpers/msgsite-process.js';
import { runBeside } from '../power-cut/look-around.js';
import { demand, signInCashier } from '../power-cut/site-client.js';
import {
  beginWorkload,
  cashierPhone,
  environment,
  runWorkload,
  startReceiver,
  type Workload,
  writeSubscription,
} from '../power-cut/workload.js';

export interface UsedFolder extends Workload {
  readonly data: string;
  readonly webhooks: string;
}

/** Returns a data folder with every kind of file, as a killed server leaves it. */
export async function makeUsedFolder(folder: string): Promise<UsedFolder> {
  const place = { data: join(folder, 'data'), webhooks: join(folder, 'webhooks.json') };
  const receiver = await startReceiver();
  try {
    await writeSubscription(place.webhooks, receiver.url);
    const used = { ...beginWorkload(), ...place };
    await runWorkload(place, 4, used);
    receiver.refuse();
    await leaveOpenEnds(used, 'drops immediately', '0');
    await leaveOpenEnds(used, 'retries later', '0,3600');
    return used;
  } finally {
    await receiver.close();
  }
}

/** Starts payments, deliveries and a sign-in that remain unfinished, and posts messages that remain in the journal. */
async function leaveOpenEnds(used: UsedFolder, name: string, delays: string): Promise<void> {
  const { data, webhooks, book, cast } = used;
  const serving = await startServe(['--data', data], {
    env: {
      ...environment,
      MSGSITE_WEBHOOKS: webhooks,
      MSGSITE_WEBHOOK_DELAYS: delays,
      MSGSITE_SANDBOX_SPEED: '5',
    },
  });
  try {
    const { site, gateway } = serving;
    const email = `${name.replaceAll(' ', '.')}@x.kz`;
    const body = { username: name, email, password: 'long enough' };
    cast.people.push(body);
    const { token } = await book.write(`account ${email}`, body, () =>
      demand(`${site}/api/auth/register`, { body }),
    );
    const { chat } = await demand(`${site}/api/chats`, { token, body: { type: 'group', name } });
    for (const text of ['one', 'two', 'three']) {
      const path = `${site}/api/chats/${chat.id}/messages`;
      await demand(path, { token, body: { text: `${name} ${text}` }, key: text });
    }
    const headers = await signInCashier(gateway, cashierPhone);
    const base = delays.length * 100_000;
    // One payment remains open for a long time, the other is paid soon.
    for (const amount of [base + 6, base]) {
      await demand(`${gateway}/api/qr/create`, { headers, body: { amount } });
    }
    const { processId } = await demand(`${gateway}/api/auth/init`, {}, 'POST');
    const phone = { phoneNumber: '77011234599', processId };
    await demand(`${gateway}/api/auth/send-phone`, { body: phone });
    await untilAttempted(used, base);
  } finally {
    await serving.end('SIGKILL');
  }
}

async function untilAttempted(used: UsedFolder, amount: number): Promise<void> {
  for (;;) {
    const { deliveries } = await runBeside(used, ['webhooks', 'list']);
    const found = deliveries.find((each: { readonly amount: number }) => each.amount === amount);
    if (found?.attempts.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
