import { expect } from 'vitest';
import { type ApiAnswer, type ApiClient, createApiClient } from '../helpers/api-client.js';

/** A registered user. */
export interface Person {
  readonly id: number;
  readonly token: string;
  readonly email: string;
  readonly username: string;
  readonly avatar: string;
}

export const password = 'correct horse';

export type MessagingClient = Awaited<ReturnType<typeof createMessagingClient>>;

let people = 0;

/** Returns helpers for common requests to a messaging server. */
export async function createMessagingClient(url: string) {
  const api: ApiClient = await createApiClient(url);

  async function create({ token }: Person, body: object) {
    const answer = await api('POST', '/api/chats', { token, body });
    expect(answer.status).toBe(201);
    return answer.body.chat.id as number;
  }

  return {
    api,
    async register(username = 'Aliya Nur'): Promise<Person> {
      people += 1;
      const body = { username, email: `someone${people}@x.kz`, password };
      const answer = await api('POST', '/api/auth/register', { body });
      expect(answer.status).toBe(201);
      return { ...answer.body.user, token: answer.body.token };
    },
    signIn: (email: string, word = password) =>
      api('POST', '/api/auth/login', { body: { email, password: word } }),
    /** Returns the status of a request that requires a valid token. */
    async statusOf(token: string): Promise<number> {
      return (await api('GET', '/api/auth/me', { token })).status;
    },
    newPrivate: (who: Person, other: Person) =>
      create(who, { type: 'private', participantId: other.id }),
    newGroup: (who: Person, name = 'Group') => create(who, { type: 'group', name }),
    newChannel: (who: Person, name = 'Channel') => create(who, { type: 'channel', name }),
    add: ({ token }: Person, groupId: number, { id }: Pick<Person, 'id'>) =>
      api('POST', `/api/groups/${groupId}/members`, { token, body: { userId: id } }),
    remove: ({ token }: Person, groupId: number, { id }: Pick<Person, 'id'>) =>
      api('DELETE', `/api/groups/${groupId}/members/${id}`, { token }),
    subscribe: ({ token }: Person, id: number) =>
      api('POST', `/api/channels/${id}/subscribe`, { token }),
    unsubscribe: ({ token }: Person, id: number) =>
      api('DELETE', `/api/channels/${id}/subscribe`, { token }),
    rename: ({ token }: Person, id: number, name: string) =>
      api('PUT', `/api/chats/${id}`, { token, body: { name } }),
    /** Posts a text and returns the message's ID. */
    async post({ token }: Person, id: number, text = 'hello'): Promise<number> {
      const answer = await api('POST', `/api/chats/${id}/messages`, { token, body: { text } });
      expect(answer.status).toBe(201);
      return answer.body.message.id;
    },
    read: ({ token }: Person, id: number, query = '') =>
      api('GET', `/api/chats/${id}/messages${query}`, { token }),
    mark: ({ token }: Person, id: number, messageId: unknown) =>
      api('PUT', `/api/chats/${id}/read`, { token, body: { messageId } }),
    list: ({ token }: Person, query = '', tag?: string): Promise<ApiAnswer> =>
      api('GET', `/api/chats${query}`, {
        token,
        ...(tag === undefined ? {} : { headers: { 'If-None-Match': tag } }),
      }),
    /** Returns one chat of a user's list. */
    async listed({ token }: Person, id: number) {
      const { body } = await api('GET', '/api/chats', { token });
      return body.chats.find((chat: { id: number }) => chat.id === id);
    },
  };
}

/** Returns how many requests succeed before one is rejected with 429 and Retry-After. */
export async function countUntilLimited(act: (n: number) => Promise<ApiAnswer>): Promise<number> {
  for (let count = 0; ; count += 1) {
    const { status, headers, body } = await act(count);
    if (status !== 429) continue;
    expect(body.code).toBe('rate_limited');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    return count;
  }
}
