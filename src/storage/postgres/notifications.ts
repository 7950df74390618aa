import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.js';
import { startEvery } from '../../base/every.js';
import type { Logger } from '../../base/log.js';
import { connect, within } from './connect.js';
import type { ServerRanks } from './servers.js';
import type { Sql } from './sql.js';

export type Notifications = ReturnType<typeof createNotifications>;

interface NotificationOptions {
  readonly url: string;
  readonly ranks: ServerRanks;
  readonly clock: Clock;
  readonly log: Logger;
  /** Time after which a connection that does not respond is replaced, in milliseconds. */
  readonly patience: number;
}

const channel = 'msgsite';
/** Maximum size of a notification's payload, in bytes. PostgreSQL accepts fewer than 8,000. @internal */
const maxPayloadLength = 7_900;
/**
 * Maximum number of notifications that wait while the connection is down. If there are more, other processes are only
 * notified that some were lost.
 */
const maxWaiting = 10_000;
/** Interval between checks that this session still listens, in milliseconds. */
const checkEvery = 1_000;
/** Maximum time that closing waits for unsent notifications, in milliseconds. @internal */
const closeTimeout = 1_000;

/** Lines about the notifications themselves. No topic starts with `!`. */
const lines = {
  /** Some of the sender's notifications were lost. */
  missed: '!missed',
  /** The sender's session starts to listen. */
  here: '!here ',
  /** The sender's session ends and has sent everything. */
  leaving: '!leaving ',
};

/**
 * Sends messages about changes to other processes (`NOTIFY`) and receives theirs. Messages usually arrive within
 * milliseconds. If one may have been lost, `onMissed` listeners are called within a second or two: after the session of
 * this process was lost; when another process could not send, or had too much to send; and when another process died,
 * perhaps before it sent notifications of its last changes.
 *
 * Notifications use their own connection. Because NOTIFY serializes the commits of a database, they are sent after the
 * transactions that they report, many in one statement that does not wait for the disk.
 */
export function createNotifications({ url, ranks, clock, log, patience }: NotificationOptions) {
  const listeners = new Map<string, Set<(detail: string) => void>>();
  const missedListeners = new Set<() => void>();
  const waiting = new Set<string>();
  const peers = createPeers();
  /** The first line of this process's payloads, by which it recognizes them. */
  const signature = randomUUID();
  let session: string | undefined;
  let sending: Promise<void> | undefined;
  let checking: ReturnType<typeof startEvery> | undefined;
  let isClosing = false;
  let isDown = false;
  let sql = open();

  function open() {
    return connect({
      url,
      ranks,
      connections: 1,
      statementTimeout: patience,
      applicationName: sessionName,
      session: { synchronous_commit: 'off' },
      isLasting: true,
      onNotify: receive,
    });
  }

  function receive(payload: string): void {
    const [sender, ...received] = payload.split('\n');
    if (sender === signature) return;
    for (const line of received) {
      if (line === lines.missed) callMissed();
      else if (line.startsWith(lines.here)) peers.add(line.slice(lines.here.length));
      else if (line.startsWith(lines.leaving)) peers.remove(line.slice(lines.leaving.length));
      else callListeners(line);
    }
  }

  function callListeners(line: string): void {
    const space = line.indexOf(' ');
    for (const listener of [...(listeners.get(line.slice(0, space)) ?? [])]) {
      listener(line.slice(space + 1));
    }
  }

  function callMissed(): void {
    for (const listener of [...missedListeners]) listener();
  }

  function queue(line: string): void {
    if (waiting.size >= maxWaiting) loseWaiting();
    waiting.add(line);
    send();
  }

  function send(): void {
    sending ??= Promise.resolve()
      .then(flush)
      .finally(() => {
        sending = undefined;
      });
  }

  /** Discards the waiting notifications. The other processes are notified that some were lost. */
  function loseWaiting(): void {
    waiting.clear();
    waiting.add(lines.missed);
  }

  async function flush(): Promise<void> {
    while (waiting.size > 0) {
      const payload = take();
      try {
        await within(patience, sql`select pg_notify(${channel}, ${payload})`);
      } catch {
        // The payload may or may not have been sent. The next check or notification retries.
        return loseWaiting();
      }
    }
  }

  /** Returns the next payload. Removes its lines first, so that a concurrent change is sent again. */
  function take(): string {
    let payload = signature;
    for (const line of waiting) {
      if (payload.length + line.length > maxPayloadLength) break;
      waiting.delete(line);
      payload += `\n${line}`;
    }
    return payload;
  }

  async function check(): Promise<void> {
    const { isListening, own, all } = await within(patience, readSession(sql));
    if (!isListening) await within(patience, sql`listen msgsite`);
    if (isDown) log.info('The database is available again.');
    isDown = false;
    if (own !== session) queue(lines.here + own);
    session = own;
    const hasLostPeer = peers.compare(all.filter((id) => id !== own));
    if (!isListening || hasLostPeer) callMissed();
    if (waiting.size > 0) send();
  }

  function onCheckFailed(err: unknown): void {
    if (isClosing) return;
    if (!isDown) log.error({ err }, 'The database is not available.');
    isDown = true;
    // A connection whose other end has disappeared would not fail for many minutes.
    const old = sql;
    sql = open();
    void old.end(0).catch(() => {});
  }

  function startChecking(): void {
    checking ??= startEvery(checkEvery, check, { clock, onError: onCheckFailed });
  }

  return {
    /** Notifies every other process soon. Never waits and never fails. */
    send(topic: string, detail: string): void {
      if (!isClosing) queue(`${topic} ${detail}`);
    },
    /** Listens until the returned function is called. */
    on(topic: string, listener: (detail: string) => void): () => void {
      startChecking();
      const ofTopic = listeners.get(topic) ?? new Set();
      listeners.set(topic, ofTopic.add(listener));
      return () => {
        ofTopic.delete(listener);
      };
    },
    /** Calls `listener` whenever notifications may have been missed, until the returned function is called. */
    onMissed(listener: () => void): () => void {
      startChecking();
      missedListeners.add(listener);
      return () => {
        missedListeners.delete(listener);
      };
    },
    async close(): Promise<void> {
      if (session !== undefined) queue(lines.leaving + session);
      isClosing = true;
      await within(closeTimeout, sending ?? Promise.resolve()).catch(() => {});
      await Promise.all([sql.end(closeTimeout), checking?.stop()]);
      await sending;
    },
  };
}

/** The name of notification sessions in `pg_stat_activity`. */
const sessionName = 'msgsite notifications';

/** The result of a check. */
interface SessionState {
  /** False for a new session, which has missed earlier notifications. */
  readonly isListening: boolean;
  /** The ID of this session. */
  readonly own: string;
  /** The IDs of the sessions of all processes on this database. A session ends with its process. */
  readonly all: readonly string[];
}

/** Reads the sessions. Their IDs contain the start time, because process IDs are reused when a container restarts. */
async function readSession(sql: Sql): Promise<SessionState> {
  const rows = await sql<{ id: string; isOwn: boolean; isListening: boolean }[]>`
    select pid || '@' || extract(epoch from backend_start) as id, pid = pg_backend_pid() as is_own,
      exists (
        select from pg_listening_channels() as heard (channel) where channel = 'msgsite'
      ) as is_listening
    from pg_stat_activity
    where pid = pg_backend_pid()
      or application_name = ${sessionName} and datname = current_database()`;
  const own = rows.find(({ isOwn }) => isOwn);
  return {
    isListening: own?.isListening ?? false,
    own: own?.id ?? '',
    all: rows.map(({ id }) => id),
  };
}

/**
 * Tracks the sessions of other processes. A session that ends unannounced may have stored changes without notifying
 * others.
 */
function createPeers() {
  let known = new Set<string>();
  /** Sessions that announced their end and may still be listed for a moment. */
  let leaving = new Set<string>();
  return {
    add(id: string): void {
      known.add(id);
    },
    remove(id: string): void {
      known.delete(id);
      leaving.add(id);
    },
    /** Replaces the known sessions with the listed ones. Returns true if a known one is missing. */
    compare(listed: readonly string[]): boolean {
      const now = new Set(listed);
      const isAnyMissing = [...known].some((id) => !now.has(id));
      known = new Set(listed.filter((id) => !leaving.has(id)));
      leaving = new Set([...leaving].filter((id) => now.has(id)));
      return isAnyMissing;
    },
  };
}
