import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startMsgsite, startServe } from '../helpers/msgsite-process.js';
import { type Book, createBook } from './book.js';
import { ask, demand, type Headers, signInCashier } from './site-client.js';

const recorder = fileURLToPath(new URL('record-files.mjs', import.meta.url));

/** The users and tokens that a check requires for its queries. */
export interface Cast {
  readonly people: Person[];
  /** Sessions of cashiers, by their names in the book. */
  readonly cashiers: { readonly name: string; readonly headers: Headers }[];
  /** Access tokens, by their names in the book. */
  readonly tokens: { readonly name: string; readonly token: string }[];
  /** Posts with a key, which can be repeated. */
  readonly keyed: KeyedPost[];
  readonly keyedPayments: KeyedPayment[];
}

export interface Person {
  readonly email: string;
  readonly username: string;
  readonly password: string;
}

export interface KeyedPost {
  readonly name: string;
  readonly chat: string;
  readonly email: string;
  readonly text: string;
  readonly key: string;
}

export interface KeyedPayment {
  readonly name: string;
  readonly path: string;
  readonly body: object;
  readonly key: string;
}

export interface Workload {
  readonly book: Book;
  readonly cast: Cast;
}

export interface Place {
  readonly data: string;
  /** The folder of the traces. Without it, nothing is recorded. */
  readonly traces?: string;
  readonly webhooks: string;
}

/** The phone number of the cashier who makes the payments. */
export const cashierPhone = '77011234567';

/** The environment of servers and commands: a fast sandbox, and no rate limits. */
export const environment: Readonly<Record<string, string>> = {
  MSGSITE_RATE_LIMIT: 'off',
  MSGSITE_BCRYPT_COST: '4',
  MSGSITE_LOG_LEVEL: 'error',
  MSGSITE_SANDBOX_SPEED: '100',
  MSGSITE_POLL_INTERVAL: '0.02',
  MSGSITE_WEBHOOK_DELAYS: '0,0.02,0.02',
};

/** Starts a webhook receiver that rejects the first attempt of every third event. */
export async function startReceiver(fixedPort = 0) {
  const seen = new Set<string>();
  let isRefusing = false;
  const server = createServer(async (request, response) => {
    request.resume();
    const id = String(request.headers['x-webhook-id']);
    const isFirst = !seen.has(id);
    seen.add(id);
    response.writeHead(isRefusing || (isFirst && seen.size % 3 === 0) ? 500 : 200).end();
  });
  await new Promise<void>((resolve) => server.listen(fixedPort, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    /** Rejects every webhook from now on. */
    refuse() {
      isRefusing = true;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export async function writeSubscription(file: string, url: string): Promise<void> {
  const events = ['payment.success', 'payment.failed', 'payment.expired'];
  await writeFile(file, JSON.stringify([{ url, events, secret: 's3cret' }]));
}

/** Returns a workload without any requests. */
export function beginWorkload(): Workload {
  const cast: Cast = { people: [], cashiers: [], tokens: [], keyed: [], keyedPayments: [] };
  return { book: createBook(), cast };
}

/**
 * Makes all kinds of requests to a server, which is stopped and started again, and runs commands alongside it. Each run
 * of the server has a number.
 */
export async function runWorkload(
  place: Place,
  scale: number,
  { book, cast }: Workload,
  lives: readonly number[] = [1, 2],
): Promise<void> {
  const tracing = place.traces && {
    MSGSITE_TEST_TRACE: place.traces,
    MSGSITE_TEST_TRACE_OF: place.data,
    NODE_OPTIONS: `--import=${pathToFileURL(recorder)}`,
  };
  const traced = { ...environment, MSGSITE_WEBHOOKS: place.webhooks, ...(tracing || {}) };
  for (const life of lives) {
    const serving = await startServe(['--data', place.data], { env: traced });
    const { site, gateway } = serving;
    const stage = { book, cast, site, gateway, life, traced, place };
    const size = life === 1 ? scale : Math.ceil(scale / 8);
    const working = Promise.all([
      exchangeMessages(stage, size),
      editContent(stage, 2 + Math.ceil(size / 20)),
      takePayments(stage, 3 + Math.ceil(size / 20)),
    ]);
    const code = await working.then(
      () => serving.end('SIGTERM'),
      async (error) => {
        await serving.end('SIGKILL');
        throw error;
      },
    );
    if (code !== 0) throw new Error(`serve exited with ${code}: ${serving.stderr()}`);
  }
}

interface Stage extends Workload {
  readonly site: string;
  readonly gateway: string;
  readonly life: number;
  readonly traced: Readonly<Record<string, string>>;
  readonly place: Place;
}

const writers = 5;

async function exchangeMessages(stage: Stage, size: number): Promise<void> {
  const { site, book, cast, life } = stage;
  const people = await Promise.all(
    Array.from({ length: writers }, (_, number) => register(stage, `p${life}.${number}`)),
  );
  const [owner] = people as [Member, ...Member[]];
  const chats: Chat[] = [];
  for (const [type, name] of [
    ['group', `group ${life}.a`],
    ['group', `group ${life}.b`],
    ['channel', `channel ${life}`],
  ] as const) {
    chats.push(await createChat(stage, owner, { type, name }));
  }
  const joining = people.slice(1).flatMap((member) =>
    chats.map(({ id, name, type }) =>
      book.write(`member ${member.email} in ${name}`, true, () =>
        type === 'channel'
          ? demand(`${site}/api/channels/${id}/subscribe`, { token: member.token }, 'POST')
          : demand(`${site}/api/groups/${id}/members`, {
              token: owner.token,
              body: { userId: member.id },
            }),
      ),
    ),
  );
  const meeting = people.slice(1).map(async (member) => {
    const name = `private ${[owner.email, member.email].sort().join(' ')}`;
    const value = { type: 'private', owner: member.email };
    const { chat } = await book.write(name, value, () =>
      demand(`${site}/api/chats`, {
        token: member.token,
        body: { type: 'private', participantId: owner.id },
      }),
    );
    book.give('chat', chat.id, name);
    chats.push({ id: chat.id, name, type: 'private' });
  });
  await Promise.all([...joining, ...meeting]);
  const open = chats.filter(({ type }) => type === 'group');
  let isOver = false;
  const reading = readAlong(stage, owner, open, () => isOver);
  const posting = people.map(async (member, writer) => {
    for (let count = 0; count < size; count += 1) {
      const chat = open[(writer + count) % open.length] as Chat; // The index is within the list.
      // Long posts fill the journal, which is then moved to the chat logs.
      const text = `${life}.${writer}.${count} `.padEnd(count % 4 === 0 ? 30 : 3900, 'ж');
      await post(stage, member, chat, text, count % 3 === 0);
    }
  });
  const changing = people.map(async (member, writer) => {
    for (let count = 0; count < size / 2; count += 1) {
      await changeProfile(stage, member, `${life}.${writer}.${count} `);
    }
  });
  const leaving = people.map(async (member, writer) => {
    const { body } = await ask(`${site}/api/auth/login`, { body: credentialsOf(member) });
    const name = `token ${life}.${writer}`;
    cast.tokens.push({ name, token: body.token });
    await book.write(name, 'valid', async () => {});
    if (writer % 2 === 0) return;
    await book.write(name, 'out', () =>
      demand(`${site}/api/auth/logout`, { token: body.token }, 'POST'),
    );
  });
  const writing = Promise.all([...posting, ...changing, ...leaving]).finally(() => {
    isOver = true;
  });
  await Promise.all([writing, reading]);
}

interface Member extends Person {
  readonly id: number;
  readonly token: string;
}

interface Chat {
  readonly id: number;
  readonly name: string;
  readonly type: string;
}

const credentialsOf = ({ email, password }: Person) => ({ email, password });

async function register({ site, book, cast }: Stage, username: string): Promise<Member> {
  const person: Person = {
    username,
    email: `${username}@shop.kz`,
    password: `pass of ${username}`,
  };
  cast.people.push(person);
  const name = `account ${person.email}`;
  const { user, token } = await book.write(name, { username, bio: '' }, () =>
    demand(`${site}/api/auth/register`, { body: person }),
  );
  book.give('user', user.id, name);
  return { ...person, id: user.id, token };
}

async function changeProfile({ site, book }: Stage, member: Member, start: string): Promise<void> {
  const { username, email, token } = member;
  const bio = start.padEnd(480, 'ө');
  // Long addresses make the log of users grow until it is folded.
  const avatar = `https://shop.kz/${start.trim()}/`.padEnd(1900, 'a');
  await book.write(`account ${email}`, { username, bio, avatar }, () =>
    demand(`${site}/api/users/me`, { token, body: { username, bio, avatar } }, 'PUT'),
  );
}

async function createChat(
  { site, book }: Stage,
  owner: Member,
  body: { readonly type: string; readonly name: string },
): Promise<Chat> {
  const { type, name } = body;
  const value = { type, owner: owner.email };
  const { chat } = await book.write(name, value, () =>
    demand(`${site}/api/chats`, { token: owner.token, body }),
  );
  book.give('chat', chat.id, name);
  return { id: chat.id, name, type };
}

async function post(
  { site, book, cast }: Stage,
  { email, token }: Member,
  chat: Chat,
  text: string,
  withKey: boolean,
): Promise<void> {
  const name = messageName(chat.name, text);
  const key = withKey ? { key: `key of ${text.split(' ')[0]}` } : {};
  if (key.key) cast.keyed.push({ name, chat: chat.name, email, text, key: key.key });
  const { message } = await book.write(name, { email, text }, () =>
    demand(`${site}/api/chats/${chat.id}/messages`, { token, body: { text }, ...key }),
  );
  book.give('message', message.id, name);
}

export const messageName = (chat: string, text: string) =>
  `message in ${chat}: ${text.slice(0, 20).trim()}`;

/** Reads messages. A message that is shown is treated as acknowledged. */
async function readAlong(
  { site, book }: Stage,
  { token }: Member,
  chats: readonly Chat[],
  isOver: () => boolean,
): Promise<void> {
  const last = new Map<number, number>();
  while (!isOver()) {
    for (const { id, name } of chats) {
      const after = last.get(id) ?? 0;
      const page = `${site}/api/chats/${id}/messages?limit=20&after=${after}`;
      for (const message of (await demand(page, { token })).messages) {
        book.see(messageName(name, message.text));
        last.set(id, message.id);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function editContent({ site, book, life }: Stage, size: number): Promise<void> {
  const products = async () => {
    for (let count = 0; count < size; count += 1) {
      const fields = { ...product, name: `product ${life}.${count}` };
      const created = await book.write(fields.name, fields, () =>
        demand(`${site}/api/admin/products`, { body: fields }),
      );
      const { id } = created.data;
      book.give('product', id, fields.name);
      const changed = { ...fields, price: 100 + count, features: ['new'] };
      await book.write(fields.name, changed, () =>
        demand(`${site}/api/admin/products/${id}`, { body: changed }, 'PUT'),
      );
      if (count % 2 === 0) continue;
      await book.write(fields.name, undefined, () =>
        demand(`${site}/api/admin/products/${id}`, {}, 'DELETE'),
      );
    }
  };
  const announcements = async () => {
    for (let count = 0; count < size; count += 1) {
      const title = `announcement ${life}.${count}`;
      const fields = { title, date: '2026-07-28', content: 'We are open.', active: true };
      const created = await book.write(title, fields, () =>
        demand(`${site}/api/admin/announcements`, { body: fields }),
      );
      book.give('announcement', created.data.id, title);
    }
  };
  const settings = async () => {
    for (let count = 0; count < size; count += 1) {
      const fields = { heroTitle: `Title ${life}.${count}`, heroSubtitle: 'Bread', theme: 'light' };
      await book.write('settings', fields, () =>
        demand(`${site}/api/admin/settings`, { body: fields }, 'PUT'),
      );
    }
  };
  await Promise.all([products(), announcements(), settings()]);
}

const product = {
  tagline: 'Fresh',
  description: 'With seeds.',
  price: 90,
  category: 'bread',
  image: '',
  features: ['warm', 'round'],
};

/** The outcome of a payment by the last two digits of its amount (the sandbox's scenarios). */
export const outcomes: ReadonlyMap<number, string> = new Map([
  [0, 'success'],
  [1, 'failed'],
  [4, 'expired'],
  [2, 'failed'],
]);

async function takePayments(stage: Stage, size: number): Promise<void> {
  const { gateway, book, cast, life } = stage;
  const signIn = async (name: string, phone: string) => {
    const headers = await signInCashier(gateway, phone);
    cast.cashiers.push({ name, headers });
    await book.write(name, 'valid', async () => {});
    return headers;
  };
  const headers = await signIn(`cashier ${life}.a`, cashierPhone);
  const others = ['b', 'c'].map(async (letter) => {
    const name = `cashier ${life}.${letter}`;
    const own = await signIn(name, `7701123456${life}`);
    if (letter === 'c') return;
    await book.write(name, 'out', () =>
      demand(`${gateway}/api/auth/logout`, { headers: own }, 'POST'),
    );
  });
  const endings = [...outcomes.keys()];
  const paying = Array.from({ length: size }, async (_, count) => {
    const amount = (life * 100 + count + 1) * 100 + (endings[count % endings.length] ?? 0);
    const isQr = count % 2 === 0;
    const id = await pay(stage, headers, { amount, isQr, withKey: count % 3 !== 0 });
    if (isQr && amount % 100 === 0) await refund(stage, headers, { id, amount });
  });
  await Promise.all([...others, ...paying, runCommands(stage, headers)]);
}

interface Order {
  readonly amount: number;
  readonly isQr: boolean;
  readonly withKey: boolean;
}

async function pay(
  { gateway, book, cast }: Stage,
  headers: Headers,
  { amount, isQr, withKey }: Order,
): Promise<number> {
  const name = `payment of ${amount}`;
  const path = isQr ? '/api/qr/create' : '/api/invoice/create';
  const body = isQr ? { amount } : { amount, phoneNumber: '77017654321' };
  const key = withKey ? { key: `pay ${amount}` } : {};
  if (key.key) cast.keyedPayments.push({ name, path, body, key: key.key });
  const { Data } = await book.write(name, isQr ? 'qr' : 'invoice', () =>
    demand(`${gateway}${path}`, { headers, body, ...key }),
  );
  const id = isQr ? Data.QrOperationId : Data.Id;
  book.give('payment', id, name);
  return id;
}

/** Polls a payment until it is paid, then refunds half of it. */
async function refund(
  { gateway, book, cast }: Stage,
  headers: Headers,
  { id, amount }: { readonly id: number; readonly amount: number },
): Promise<void> {
  for (;;) {
    const { Data } = await demand(`${gateway}/api/qr/status?qrOperationId=${id}`, { headers });
    if (Data.Status === 'Processed') break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const body = { qrOperationId: id, returnAmount: amount / 2 };
  const key = `refund ${amount}`;
  const name = `refund of ${amount}`;
  cast.keyedPayments.push({ name, path: '/api/refund/create', body, key });
  await book.write(name, amount / 2, () =>
    demand(`${gateway}/api/refund/create`, { headers, body, key }),
  );
}

/** Runs commands in separate processes on the folder that is being served. */
async function runCommands(stage: Stage, headers: Headers): Promise<void> {
  const { book, life, traced, place } = stage;
  const env = {
    ...traced,
    MSGSITE_TOKEN_SN: headers['X-Token-SN'] ?? '',
    MSGSITE_VTOKEN_SECRET: headers['X-Vtoken-Secret'] ?? '',
  };
  async function run(argv: readonly string[]) {
    const command = startMsgsite([...argv, '--data', place.data, '--json'], { env });
    const code = await command.exit();
    if (code !== 0) throw new Error(`${argv.join(' ')} exited with ${code}: ${command.stderr()}`);
    return JSON.parse(command.stdout());
  }
  const amount = 90_000 + life * 100;
  const paid = await book.write(`payment of ${amount}`, 'qr', () =>
    run(['pay', 'qr', '--amount', String(amount)]),
  );
  book.give('payment', paid.paymentId, `payment of ${amount}`);
  await book.write(`refund of ${amount}`, 100, () =>
    run(['pay', 'refund', paid.paymentId, '--amount', '100', '--yes']),
  );
  await run(['webhooks', 'replay', '--all']);
}
