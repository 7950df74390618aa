import { setMaxListeners } from 'node:events';
import { createChatClient } from '../../src/pages/chat/client.js';
import type {
  ChatClient,
  ClientParts,
  KeyValueStorage,
  State,
} from '../../src/pages/chat/types.js';

// All calls, pauses and locks of a client listen to the same signal.
setMaxListeners(0);

/** Returns the parts that a browser tab provides, with shorter pauses between attempts. */
export function realParts(baseUrl: string): ClientParts {
  return {
    fetch: (url, init) => fetch(url, init),
    baseUrl,
    storage: memoryStorage(),
    now: () => performance.now(),
    sleep: (milliseconds, signal) => sleepFor(shortened(milliseconds), signal),
    random: Math.random,
  };
}

/** Keeps a client's deadlines for held requests, and limits other pauses to a second. */
const shortened = (milliseconds: number) =>
  deadlines.includes(milliseconds) ? milliseconds : Math.min(milliseconds, 1_000);
const deadlines = [20_000, 40_000];

/** Returns a storage in memory. */
export function memoryStorage(): KeyValueStorage {
  const values = new Map<string, string>();
  return {
    get length() {
      return values.size;
    },
    key: (index) => [...values.keys()][index] ?? null,
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => void values.set(name, value),
    removeItem: (name) => void values.delete(name),
  };
}

export function sleepFor(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    if (signal?.aborted) done();
    signal?.addEventListener('abort', done);
  });
}

/** Returns a client that has just signed up with this name. */
export async function signedUp(
  parts: ClientParts,
  username: string,
): Promise<{ client: ChatClient; id: number }> {
  const client = createChatClient(parts);
  client.start();
  await client.signUp({ username, email: emailOf(username), password: 'apricot and walnut' });
  return { client, id: client.state().user?.id ?? 0 };
}

export const emailOf = (username: string) => `${username.toLowerCase()}@shop.kz`;

/** Resolves when a client's state satisfies the condition, which is checked after each change. */
export function until(client: ChatClient, isSo: (state: State) => boolean): Promise<State> {
  return new Promise((resolve) => {
    const check = () => {
      if (!isSo(client.state())) return;
      off();
      resolve(client.state());
    };
    const off = client.subscribe(check);
    check();
  });
}

/** Returns the texts of a room's messages, as the client shows them. */
export function texts(client: ChatClient, chatId: number): string[] {
  return (client.state().rooms[chatId]?.messages ?? []).map(({ text }) => text);
}
