import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.js';
import { startEvery } from '../../base/every.js';
import type { Logger } from '../../base/log.js';
import { connect } from './connect.js';

export type Notifications = ReturnType<typeof createNotifications>;

interface NotificationOptions {
  readonly url: string;
  readonly clock: Clock;
  readonly log: Logger;
}

const channel = 'msgsite';
/** PostgreSQL takes payloads below 8,000 bytes. */
const longestPayload = 7_900;
/** Notifications that wait while the connection is down; more are dropped, since listeners poll. */
const mostWaiting = 10_000;
/** How often listening is asked for again, in milliseconds: after a lost connection it begins again. */
const listenEvery = 1_000;

/**
 * Messages from process to process that something has changed (`NOTIFY`). They usually arrive within
 * milliseconds and sometimes never: whoever listens has to poll from time to time as well.
 *
 * They have one connection of their own. NOTIFY makes the database commit one transaction after another, so
 * notifications are not sent inside the transactions that they are about but after them, many in one
 * statement that waits for no disk.
 */
export function createNotifications(options: NotificationOptions) {
  const { url, clock, log } = options;
  const listeners = new Map<string, Set<(detail: string) => void>>();
  let isClosing = false;
  const waiting = new Set<string>();
  /** The first line of what this process sends, by which it knows its own notifications. */
  const signature = randomUUID();
  let sending: Promise<void> | undefined;
  let listening: ReturnType<typeof startEvery> | undefined;
  let isDown = false;

  const sql = connect({
    url,
    connections: 1,
    statementTimeout: 5_000,
    applicationName: 'msgsite notifications',
    session: { synchronous_commit: 'off' },
    onNotify: (_, payload) => receive(payload),
  });

  function receive(payload: string): void {
    const [sender, ...lines] = payload.split('\n');
    if (sender === signature) return;
    for (const line of lines) {
      const space = line.indexOf(' ');
      const heard = listeners.get(line.slice(0, space));
      for (const listener of [...(heard ?? [])]) listener(line.slice(space + 1));
    }
  }

  async function flush(): Promise<void> {
    while (waiting.size > 0) {
      const payload = take();
      // What is lost is found by polling; `listen` says that the connection is down.
      await sql`select pg_notify(${channel}, ${payload})`.catch(() => {});
    }
  }

  function take(): string {
    let payload = signature;
    for (const line of waiting) {
      if (payload.length + line.length > longestPayload) break;
      waiting.delete(line);
      payload += `\n${line}`;
    }
    return payload;
  }

  async function listen(): Promise<void> {
    await sql`listen msgsite`;
    if (isDown) log.info('The database is back.');
    isDown = false;
  }

  function noteDown(err: unknown): void {
    if (!isDown) log.error({ err }, 'The database is away.');
    isDown = true;
  }

  return {
    /** Notifies every other process, soon. Never waits and never fails. */
    send(topic: string, detail: string): void {
      if (waiting.size >= mostWaiting || isClosing) return;
      waiting.add(`${topic} ${detail}`);
      sending ??= Promise.resolve()
        .then(flush)
        .finally(() => {
          sending = undefined;
        });
    },
    /** Listens until the returned function is called. */
    on(topic: string, listener: (detail: string) => void): () => void {
      listening ??= startEvery(listenEvery, listen, { clock, onError: noteDown });
      const heard = listeners.get(topic) ?? new Set();
      listeners.set(topic, heard.add(listener));
      return () => {
        heard.delete(listener);
      };
    },
    async close(): Promise<void> {
      isClosing = true;
      await Promise.all([sql.end({ timeout: 1 }), listening?.stop()]);
      await sending;
    },
  };
}
