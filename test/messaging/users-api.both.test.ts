import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../helpers/test-server.js';
import { createMessagingClient, type MessagingClient, type Person } from './messaging-client.js';

let server: TestServer;
let client: MessagingClient;
let asel: Person;
let percent: Person;
let ivan: Person;

beforeAll(async () => {
  server = await startTestServer({ env: { MSGSITE_RATE_LIMIT: 'off' } });
  client = await createMessagingClient(server.site);
  asel = await client.register('Әсел Құрманғазы');
  percent = await client.register('100% ivory_tower');
  ivan = await client.register('Семён Иванов');
});

afterAll(() => server.close());

const list = (query: string) => client.api('GET', `/api/users${query}`, { token: asel.token });
const search = async (q: string, more = '') =>
  (await list(`?q=${encodeURIComponent(q)}${more}`)).body.users.map(({ id }: Person) => id);

describe('searching people', () => {
  it.each([
    ['әсел', ['asel']],
    ['АСЕЛ', ['asel']],
    ['курмангазы', ['asel']],
    ['семен', ['ivan']],
    ['ИВАН', ['ivan']],
    ['  иванов ', ['ivan']],
    ['%', ['percent']],
    ['y_t', ['percent']],
    ['_', ['percent']],
    ['yxt', []],
    ['someone', []],
    ['x.kz', []],
    ['\\', []],
    ["'", []],
  ])('for %j finds %j', async (q, names) => {
    const people: Record<string, Person> = { asel, percent, ivan };
    expect(await search(q)).toEqual(names.map((name) => people[name]?.id));
  });

  it('matches parts of names, and returns pages ordered by ID', async () => {
    const ids = [asel.id, percent.id, ivan.id].sort((a, b) => a - b);
    expect(await search('')).toEqual(ids);
    expect(await search('в')).toEqual([ivan.id]);
    const twins = [await client.register('Twin One'), await client.register('Twin Two')];
    expect(await search('twin', '&limit=1')).toEqual([twins[0]?.id]);
    expect(await search('twin', `&limit=1&after=${twins[0]?.id}`)).toEqual([twins[1]?.id]);
  });

  it('finds a user by the current name, but not by an earlier one', async () => {
    const ann = await client.register('Before');
    await client.api('PUT', '/api/users/me', {
      token: ann.token,
      body: { username: 'Afterwards' },
    });
    expect(await search('before')).toEqual([]);
    expect(await search('afterw')).toEqual([ann.id]);
  });

  it('accepts up to 64 characters, counted as code points', async () => {
    expect((await list(`?q=${encodeURIComponent('🙂'.repeat(64))}`)).status).toBe(200);
    expect((await list(`?q=${encodeURIComponent('я'.repeat(65))}`)).status).toBe(400);
  });
});

describe('users by ID', () => {
  it('are returned once each, ordered by ID, and unknown IDs are omitted', async () => {
    const { users } = (await list(`?ids=${ivan.id},${asel.id},9999999,${ivan.id}`)).body;
    expect(users).toEqual(
      [asel, ivan].map(({ id, username, avatar }) => ({ id, username, avatar })),
    );
  });

  it.each([
    `ids=${Array.from({ length: 101 }, (_, n) => n + 1).join(',')}`,
    'ids=',
    'ids=1,',
    'ids=a',
    'ids=1,-2',
    'ids=1.5',
    'ids=1&q=x',
    'ids=1&ids=2',
  ])('requested with %s result in 400', async (query) => {
    expect(await list(`?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    });
  });

  it('are limited to a hundred per request', async () => {
    const ids = Array.from({ length: 100 }, (_, n) => n + 1).join(',');
    expect((await list(`?ids=${ids}`)).status).toBe(200);
  });
});

describe("a user's profile", () => {
  it('includes the bio, but not the e-mail address', async () => {
    const body = { bio: 'Baker' };
    await client.api('PUT', '/api/users/me', { token: ivan.token, body });
    const { status, body: shown } = await list(`/${ivan.id}`);
    const { id, username, avatar } = ivan;
    expect([status, shown]).toEqual([
      200,
      { ok: true, user: { id, username, avatar, bio: 'Baker' } },
    ]);
  });

  it.each(['9999999', '0', 'abc', '-1'])('returns 404 for the ID %s', async (id) => {
    expect((await list(`/${id}`)).status).toBe(404);
  });
});
