import { createChatClient } from '../../src/pages/chat/client.js';
import type {
  ChatClient,
  ClientParts,
  KeyValueStorage,
  LockSource,
} from '../../src/pages/chat/types.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { createScriptedService } from './scripted-service.js';

/** The error that browsers throw if a storage is full. */
class QuotaExceededError extends Error {
  override readonly name = 'QuotaExceededError';
}

/** Creates a browser whose tabs share a storage and locks. A change is reported to the other tabs. */
export function createBrowser() {
  const values = new Map<string, string>();
  const tabs = new Set<{ client: ChatClient; storage: KeyValueStorage }>();
  const browser = {
    values,
    /** Matches names whose writes fail. */
    refuses: undefined as RegExp | undefined,
    locks: createLocks(),
    /** Opens a tab: a client with these parts and this browser's storage. */
    open(parts: Omit<ClientParts, 'storage' | 'locks'>, { withLocks = true } = {}): ChatClient {
      const storage = storageOfTab((name, value) => {
        for (const tab of tabs) {
          // Events arrive after the change that they report.
          if (tab.storage !== storage) setImmediate(() => tab.client.storageChanged(name, value));
        }
      });
      const locks = withLocks ? { locks: browser.locks } : {};
      const client = createChatClient({ ...parts, ...locks, storage });
      tabs.add({ client, storage });
      client.start();
      return client;
    },
  };

  function storageOfTab(changed: (name: string, value: string | null) => void): KeyValueStorage {
    return {
      get length() {
        return values.size;
      },
      key: (index) => [...values.keys()][index] ?? null,
      getItem: (name) => values.get(name) ?? null,
      setItem(name, value) {
        if (browser.refuses?.test(name)) throw new QuotaExceededError('It is full.');
        if (values.get(name) === value) return;
        values.set(name, value);
        changed(name, value);
      },
      removeItem(name) {
        if (values.delete(name)) changed(name, null);
      },
    };
  }
  return browser;
}

/** Imitates the exclusive locks of `navigator.locks`. */
function createLocks(): LockSource {
  const held = new Set<string>();
  const waiting: { name: string; take: () => void }[] = [];
  const release = (name: string) => {
    const index = waiting.findIndex((each) => each.name === name);
    if (index < 0) held.delete(name);
    else waiting.splice(index, 1)[0]?.take();
  };
  return {
    async request(name, { signal, ifAvailable = false }, work) {
      if (held.has(name) && ifAvailable) return work(null);
      if (held.has(name)) {
        await new Promise<void>((take) => waiting.push({ name, take }));
      }
      held.add(name);
      try {
        signal?.throwIfAborted();
        return await work({ name });
      } finally {
        release(name);
      }
    },
  };
}

/** Creates a scripted service, a browser, and a clock that only the test advances. */
export function createScene() {
  const clock = createManualClock();
  const service = createScriptedService();
  const browser = createBrowser();
  const open: ChatClient[] = [];
  return {
    clock,
    service,
    browser,
    parts: {
      fetch: service.fetch,
      now: clock.monotonic,
      sleep: clock.sleep,
      random: () => 0.5,
    },
    /** Opens a tab of the browser. `own` replaces some of its parts. */
    tab(own: Partial<ClientParts> = {}, options: { withLocks?: boolean } = {}): ChatClient {
      const client = browser.open({ ...this.parts, ...own }, options);
      open.push(client);
      return client;
    },
    /** Returns a tab in which this user has signed in and the list has loaded. */
    async signedIn(userId: number, own: Partial<ClientParts> = {}): Promise<ChatClient> {
      const client = this.tab(own);
      await client.signIn({ email: `${userId}@service.test`, password: 'apricot' });
      await clock.settle();
      return client;
    },
    close() {
      for (const client of open) client.stop();
    },
  };
}

export type Scene = ReturnType<typeof createScene>;

/** Returns the texts of a room: first the messages, then unacknowledged posts with their state. */
export function shown(client: ChatClient, chatId: number): string[] {
  const room = client.state().rooms[chatId];
  if (!room) return [];
  return [
    ...room.messages.map(({ text }) => text),
    ...room.outgoing.map(({ text, state }) => `${text} (${state})`),
  ];
}
