import type { Clock } from '../../base/clock.js';
import type { Database } from '../../storage/postgres/database.js';

/** Notices what other processes change. */
export interface SiteWatch {
  on(listener: () => void): () => void;
  /** This process has changed something. */
  tell(): void;
  close(): Promise<void>;
}

const topic = 'site';
/** How often to look at the site's version, in milliseconds, since hints can be lost. */
const lookEvery = 1_000;
/** Content that could not be compared for so long is not given out any more, in milliseconds. */
const longestUnsure = 5_000;

/**
 * Listeners hear of a change by a hint, within milliseconds as a rule; where the hint was lost, by a
 * look at the version within a second; and where the database cannot be looked at, they are called
 * every second from the fifth on, so that nobody serves what may be old without end.
 */
export function watchSite(database: Database, clock: Clock): SiteWatch {
  const listeners = new Set<() => void>();
  const closing = new AbortController();
  let version: number | undefined;
  let lookedAt = clock.now();
  let looking: Promise<void> | undefined;
  const stopHints = database.hints.on(topic, call);

  function call(): void {
    for (const listener of listeners) listener();
  }

  async function look(): Promise<void> {
    const [row] = await database.run(
      "look at the site's version",
      (sql) => sql<{ version: number }[]>`select version from msgsite.site`,
    );
    lookedAt = clock.now();
    if (row?.version !== version) call();
    version = row?.version;
  }

  async function keepLooking(): Promise<void> {
    while (!closing.signal.aborted) {
      await look().catch(() => {
        if (clock.now() - lookedAt >= longestUnsure) call();
      });
      await clock.sleep(lookEvery, closing.signal);
    }
  }

  return {
    on(listener) {
      listeners.add(listener);
      looking ??= keepLooking();
      return () => {
        listeners.delete(listener);
      };
    },
    tell: () => database.hints.send(topic, 'changed'),
    async close() {
      closing.abort();
      stopHints();
      await looking;
    },
  };
}
