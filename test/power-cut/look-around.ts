import { runCli } from '../helpers/run-cli.js';
import type { Book, Found } from './book.js';
import { ask, demand, type Headers, signInCashier } from './site-client.js';
import { type Cast, cashierPhone, environment, messageName, outcomes } from './workload.js';

/** A server on the state after a power cut, and how to query it. */
export interface Scene {
  readonly site: string;
  readonly gateway: string;
  readonly data: string;
  readonly webhooks: string;
  readonly cast: Cast;
  readonly book: Book;
  /** The time of the power cut. */
  readonly at: number;
}

/** All values that a server returns, and contradictions between them. */
export interface Sight extends Found {
  readonly faults: string[];
}

interface MutableSight {
  readonly values: Map<string, string>;
  readonly ids: Map<string, string>;
  readonly faults: string[];
}

/** Queries all values of a server. */
export async function lookAround(scene: Scene): Promise<Sight> {
  const sight: MutableSight = { values: new Map(), ids: new Map(), faults: [] };
  await lookAtMessaging(scene, sight);
  await lookAtContent(scene, sight);
  await lookAtTokens(scene, sight);
  await lookAtPayments(scene, sight);
  await lookAtAudit(scene, sight);
  return sight;
}

function note({ values, faults }: MutableSight, name: string, value: unknown): void {
  if (values.has(name)) faults.push(`${name}: exists twice`);
  values.set(name, JSON.stringify(value));
}

async function lookAtMessaging(scene: Scene, sight: MutableSight): Promise<void> {
  const { site, cast, book, at } = scene;
  const asked = new Set(book.names(at));
  const emails = new Map<number, string>();
  const tokens = new Map<number, string>();
  for (const { email, password } of cast.people) {
    if (!asked.has(`account ${email}`)) continue;
    const { status, body } = await ask(`${site}/api/auth/login`, { body: { email, password } });
    if (status === 401) continue;
    if (status !== 200) {
      sight.faults.push(`account ${email}: signing in returned ${status} ${JSON.stringify(body)}`);
      continue;
    }
    const { user } = await demand(`${site}/api/auth/me`, { token: body.token });
    const { username, bio, avatar } = user;
    const own = avatar.startsWith('https://shop.kz/') ? { avatar } : {};
    note(sight, `account ${email}`, { username, bio, ...own });
    sight.ids.set(`user account ${email}`, String(user.id));
    emails.set(user.id, email);
    tokens.set(user.id, body.token);
  }
  const [token] = tokens.values();
  if (token === undefined) return;
  const { users } = await demand(`${site}/api/users`, { token });
  const listed: number[] = users
    .filter(({ username }: { username: string }) => !username.startsWith(newcomer))
    .map(({ id }: { id: number }) => id);
  if (listed.join() !== [...emails.keys()].sort((a, b) => a - b).join()) {
    sight.faults.push(`Users ${listed} are listed, and ${[...emails.keys()]} can sign in`);
  }
  const chats = new Set<number>();
  for (const reader of tokens.values()) {
    for (const chat of (await demand(`${site}/api/chats`, { token: reader })).chats) {
      if (chats.has(chat.id)) continue;
      chats.add(chat.id);
      await lookAtChat(scene, sight, { chat, emails, reader });
    }
  }
}

interface ListedChat {
  readonly id: number;
  readonly type: string;
  readonly name: string;
  readonly ownerId: number;
  readonly participants: readonly number[];
}

async function lookAtChat(
  { site }: Scene,
  sight: MutableSight,
  about: {
    readonly chat: ListedChat;
    readonly emails: ReadonlyMap<number, string>;
    readonly reader: string;
  },
): Promise<void> {
  const { chat, emails, reader } = about;
  const people = chat.participants.map((id) => emails.get(id) ?? `unknown user ${id}`);
  const owner = emails.get(chat.ownerId);
  const name = chat.type === 'private' ? `private ${people.sort().join(' ')}` : chat.name;
  note(sight, name, { type: chat.type, owner });
  sight.ids.set(`chat ${name}`, String(chat.id));
  if (chat.type !== 'private') {
    for (const email of people) {
      if (email !== owner) note(sight, `member ${email} in ${name}`, true);
    }
  }
  for (let last = 0, more = true; more; ) {
    const page = `${site}/api/chats/${chat.id}/messages?limit=1000&after=${last}`;
    const { messages, hasMore } = await demand(page, { token: reader });
    for (const { id, text, senderId, error } of messages) {
      if (error !== undefined) sight.faults.push(`message ${id} in ${name}: ${error}`);
      if (id <= last) sight.faults.push(`message ${id} in ${name} follows message ${last}`);
      last = id;
      const message = messageName(name, text);
      note(sight, message, { email: emails.get(senderId), text });
      sight.ids.set(`message ${message}`, String(id));
    }
    more = hasMore;
  }
}

async function lookAtContent({ site }: Scene, sight: MutableSight): Promise<void> {
  for (const { id, order: _, ...fields } of (await demand(`${site}/api/products`)).data) {
    const { name, tagline, description, price, category, image, features } = fields;
    note(sight, name, { tagline, description, price, category, image, features, name });
    sight.ids.set(`product ${name}`, String(id));
  }
  for (const { id, title, date, content, active } of (await demand(`${site}/api/announcements`))
    .data) {
    note(sight, title, { title, date, content, active });
    sight.ids.set(`announcement ${title}`, String(id));
  }
  const { heroTitle, heroSubtitle, theme } = (await demand(`${site}/api/settings`)).data;
  if (heroSubtitle === 'Bread') note(sight, 'settings', { heroTitle, heroSubtitle, theme });
}

async function lookAtTokens(scene: Scene, sight: MutableSight): Promise<void> {
  const { site, gateway, cast, book, at } = scene;
  for (const { name, token } of cast.tokens) {
    if (!book.isPromised(name, at)) continue;
    const { status } = await ask(`${site}/api/auth/me`, { token });
    note(sight, name, status === 200 ? 'valid' : status === 401 ? 'out' : status);
  }
  for (const { name, headers } of cast.cashiers) {
    if (!book.isPromised(name, at)) continue;
    const { status, body } = await ask(`${gateway}/api/session/check`, { headers });
    const isOut = status === 401 || body.active === false;
    note(sight, name, isOut ? 'out' : status === 200 ? 'valid' : status);
  }
}

/** Runs a command alongside a server and returns its output. */
export async function runBeside(
  { data, webhooks }: Pick<Scene, 'data' | 'webhooks'>,
  argv: readonly string[],
) {
  const env = { ...environment, MSGSITE_DATA: data, MSGSITE_WEBHOOKS: webhooks };
  const { exitCode, stdout, stderr } = await runCli([...argv, '--json'], { env });
  if (exitCode !== 0) throw new Error(`${argv.join(' ')} exited with ${exitCode}: ${stderr}`);
  return JSON.parse(stdout);
}

async function lookAtPayments(scene: Scene, sight: MutableSight): Promise<void> {
  const { gateway, cast, book, at } = scene;
  const listed = await runBeside(scene, ['pay', 'payments']);
  for (const { paymentId, type, amount } of listed.payments) {
    note(sight, `payment of ${amount}`, type);
    sight.ids.set(`payment payment of ${amount}`, paymentId);
  }
  const known = cast.cashiers.find(({ name }) => name.endsWith('.a') && book.isPromised(name, at));
  const headers = known?.headers ?? (await signInCashier(gateway, cashierPhone));
  const made = new Map<number, string>();
  for (const { Id, Amount, ReturnedAmount } of await allOperations(gateway, headers)) {
    const other = made.get(Amount);
    if (other !== undefined) sight.faults.push(`The bank created ${other} and ${Id} for ${Amount}`);
    made.set(Amount, String(Id));
    if (ReturnedAmount > 0) note(sight, `refund of ${Amount}`, ReturnedAmount);
  }
  for (const { paymentId, amount } of listed.payments) {
    if (made.get(amount) === paymentId) continue;
    sight.faults.push(`payment of ${amount}: the bank has it as ${made.get(amount)}`);
  }
}

/** Checks that every acknowledged change is in the audit log exactly once. */
async function lookAtAudit(scene: Scene, sight: MutableSight): Promise<void> {
  const { lines } = await runBeside(scene, ['audit']);
  const texts = new Set<string>(lines.map((line: unknown) => JSON.stringify(line)));
  if (texts.size < lines.length) sight.faults.push('The audit log has a duplicate line');
  const created = new Set<string>();
  for (const { ids } of lines) {
    if (ids.change !== 'created') continue;
    for (const kind of ['product', 'announcement']) {
      if (ids[kind] !== undefined) created.add(`${kind} ${ids[kind]}`);
    }
  }
  for (const { kind, id, name } of scene.book.given(scene.at)) {
    if (!['product', 'announcement'].includes(kind) || created.has(`${kind} ${id}`)) continue;
    sight.faults.push(`The audit log lacks the creation of ${name}`);
  }
}

async function allOperations(gateway: string, headers: Headers) {
  const all = [];
  let page: object = { endDate: '2999-01-01' };
  for (;;) {
    const body = await demand(`${gateway}/api/history/operations`, { headers, body: page });
    const { Operations: operations, HasMore: more } = body.Data;
    all.push(...operations);
    if (!more) return all;
    page = { ...page, lastTransactionDate: operations.at(-1).TransactionDate };
  }
}

/** Repeats requests that may not have been stored. Acknowledged ones must return the same result. */
export async function repeat(scene: Scene): Promise<string[]> {
  return [...(await repeatPosts(scene)), ...(await repeatPayments(scene))];
}

/** Number of acknowledged requests that are repeated. All others are repeated. */
const repeated = 5;

function worthRepeating<T extends { readonly name: string }>(
  { book, at }: Scene,
  all: readonly T[],
): T[] {
  const asked = new Set(book.names(at));
  const begun = all.filter(({ name }) => asked.has(name));
  const promised = begun.filter(({ name }) => book.isPromised(name, at));
  const others = begun.filter(({ name }) => !book.isPromised(name, at));
  return [...promised.slice(-repeated), ...others];
}

async function repeatPosts(scene: Scene): Promise<string[]> {
  const { site, cast, book, at } = scene;
  const faults: string[] = [];
  for (const { name, chat, email, text, key } of worthRepeating(scene, cast.keyed)) {
    const person = cast.people.find((each) => each.email === email);
    const given = book.given(at);
    const chatId = given.find((each) => each.kind === 'chat' && each.name === chat)?.id;
    const credentials = { email, password: person?.password };
    const { token } = await demand(`${site}/api/auth/login`, { body: credentials });
    const path = `${site}/api/chats/${chatId}/messages`;
    const { status, body } = await ask(path, { token, body: { text }, key });
    const before = given.find((each) => each.kind === 'message' && each.name === name)?.id;
    if (status !== 201 || body.message.text !== text) {
      faults.push(`${name}: a repeated request returned ${status} ${JSON.stringify(body)}`);
    } else if (before !== undefined && before !== String(body.message.id)) {
      faults.push(
        `${name}: a repeated request returned message ${body.message.id} instead of ${before}`,
      );
    }
  }
  return faults;
}

async function repeatPayments(scene: Scene): Promise<string[]> {
  const { gateway, cast, book, at } = scene;
  const faults: string[] = [];
  const selected = worthRepeating(scene, cast.keyedPayments);
  if (selected.length === 0) return [];
  const headers = await signInCashier(gateway, cashierPhone);
  for (const { name, path, body, key } of selected) {
    const answer = await ask(`${gateway}${path}`, { headers, body, key });
    const { Data: data } = answer.body;
    const before = book.given(at).find((each) => each.kind === 'payment' && each.name === name)?.id;
    const now = String(data?.QrOperationId ?? data?.Id);
    if (answer.status !== 200) {
      const text = JSON.stringify(answer.body);
      faults.push(`${name}: a repeated request returned ${answer.status} ${text}`);
    } else if (before !== undefined && before !== now) {
      faults.push(`${name}: a repeated request returned ${now} instead of ${before}`);
    }
  }
  return faults;
}

/** The user who is created after the power cut. */
const newcomer = 'newcomer';

/** Creates one item of each kind. None may have an ID that was already used. */
export async function makeNew({ site, book, at }: Scene): Promise<string[]> {
  const username = newcomer;
  const account = { username, email: `${username}@new.kz`, password: 'long enough' };
  const { user, token } = await demand(`${site}/api/auth/register`, { body: account });
  const body = { type: 'group', name: username };
  const { chat } = await demand(`${site}/api/chats`, { token, body });
  const path = `${site}/api/chats/${chat.id}/messages`;
  const { message } = await demand(path, { token, body: { text: username } });
  const fields = { name: username, tagline: '', description: '', price: 1, category: '' };
  const { data: product } = await demand(`${site}/api/admin/products`, {
    body: { ...fields, image: '', features: [] },
  });
  const { data: announcement } = await demand(`${site}/api/admin/announcements`, {
    body: { title: username, date: '2026-07-28', content: '', active: false },
  });
  const given = book.given(at);
  return Object.entries({ user, chat, message, product, announcement }).flatMap(
    ([kind, { id }]) => {
      const other = given.find((each) => each.kind === kind && each.id === String(id));
      return other ? [`${kind} ${id} is new and was ${other.name} before`] : [];
    },
  );
}

/** Maximum time for payments and deliveries to end, in milliseconds. They usually take a tenth of a second. */
const patience = 30_000;

/** Waits until each payment has ended and its event was delivered. Returns the exceptions. */
export async function settle(scene: Scene): Promise<string[]> {
  const limit = Date.now() + patience;
  for (;;) {
    const { payments } = await runBeside(scene, ['pay', 'payments']);
    const { deliveries } = await runBeside(scene, ['webhooks', 'list', '--limit', '0']);
    const faults = [...judgePayments(payments), ...judgeDeliveries(payments, deliveries)];
    if (faults.length === 0 || Date.now() > limit) return faults;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

interface ListedPayment {
  readonly paymentId: string;
  readonly amount: number;
  readonly state: string;
  readonly outcome: string | null;
}

interface ListedDelivery {
  readonly paymentId: string;
  readonly event: string;
  readonly state: string;
}

function judgePayments(payments: readonly ListedPayment[]): string[] {
  return payments.flatMap(({ paymentId, amount, state, outcome }) => {
    const expected = outcomes.get(amount % 100);
    if (state === 'ended' && outcome === expected) return [];
    return [`payment ${paymentId} of ${amount}: is ${state} (${outcome}) instead of ${expected}`];
  });
}

function judgeDeliveries(
  payments: readonly ListedPayment[],
  deliveries: readonly ListedDelivery[],
): string[] {
  const found = deliveries.map(({ paymentId, event, state }) => `${paymentId} ${event} ${state}`);
  const expected = payments.map(
    ({ paymentId, amount }) => `${paymentId} payment.${outcomes.get(amount % 100)} delivered`,
  );
  return [
    ...expected.filter((each) => !found.includes(each)).map((each) => `no delivery: ${each}`),
    ...found
      .filter((each, index) => !expected.includes(each) || found.indexOf(each) !== index)
      .map((each) => `unexpected delivery: ${each}`),
  ];
}
