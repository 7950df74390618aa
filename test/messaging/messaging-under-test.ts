import { afterAll, beforeAll, expect } from 'vitest';
import { type ApiClient, createApiClient } from '../helpers/api-client.js';
import { startTestServer, type TestServer } from '../helpers/test-server.js';

export interface Person {
  id: number;
  token: string;
  email: string;
  username: string;
  avatar: string;
}

export const password = 'correct horse';

/** Starts messaging for the tests of a file. Returns helpers that register people, create chats, post and read. */
export function serveMessaging() {
  let server: TestServer;
  let client: ApiClient;
  let people = 0;

  beforeAll(async () => {
    server = await startTestServer({ env: { MSGSITE_RATE_LIMIT: 'off' } });
    client = await createApiClient(server.site);
  });
  afterAll(() => server.close());

  const api: ApiClient = (...call) => client(...call);

  async function register(username = 'Aliya Nur'): Promise<Person> {
    people += 1;
    const email = `Person${people}@Example.kz`;
    const { status, body } = await api('POST', '/api/auth/register', {
      body: { username, email, password },
    });
    expect(status).toBe(201);
    return { ...body.user, token: body.token };
  }

  const newChat = async ({ token }: Person, body: unknown) => {
    const answer = await api('POST', '/api/chats', { token, body });
    expect(answer.status).toBe(201);
    return answer.body.chat;
  };
  const post = (
    { token }: Person,
    chatId: number,
    text: string,
    headers: Record<string, string> = {},
  ) => api('POST', `/api/chats/${chatId}/messages`, { token, body: { text }, headers });
  const read = ({ token }: Person, chatId: number, query = '', headers = {}) =>
    api('GET', `/api/chats/${chatId}/messages${query}`, { token, headers });

  return { api, site: () => server.site, register, newChat, post, read };
}

export const textsOf = (answer: { body: { messages: { text: string }[] } }) =>
  answer.body.messages.map(({ text }) => text);
