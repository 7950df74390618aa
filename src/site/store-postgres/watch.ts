import type { Clock } from '../../base/clock.js';
import { startEvery } from '../../base/every.js';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/query.js';

const topic = 'site';
/** How often to poll the site's version, in milliseconds, since notifications can be lost. */
const pollEvery = 1_000;
/** Milliseconds for which site content is served that the database does not confirm. */
const longestUnsure = 5_000;

/**
 * Notices what this process and others change. Listeners are called upon a notification, within milliseconds
 * as a rule; where it was lost, upon a poll of the version within a second; and where the database does
 * not answer, every second from the fifth on, so that nobody serves what may be old without end.
 */
export function watchSite(database: Database, clock: Clock) {
  const listeners: (() => void)[] = [];
  let version: number | undefined;
  let polledAt = clock.monotonic();
  let polling: ReturnType<typeof startEvery> | undefined;
  const stopListening = database.notifications.on(topic, call);

  function call(): void {
    for (const listener of listeners) listener();
  }

  async function poll(): Promise<void> {
    const [row] = await query<{ version: number }>(database, "poll the site's version")`
      select version from msgsite.site`;
    polledAt = clock.monotonic();
    if (row?.version !== version) call();
    version = row?.version;
  }

  function callWhenUnsure(): void {
    if (clock.monotonic() - polledAt >= longestUnsure) call();
  }

  return {
    on(listener: () => void): void {
      listeners.push(listener);
      polling ??= startEvery(pollEvery, poll, { clock, onError: callWhenUnsure });
    },
    /** This process has changed something. */
    notify(): void {
      call();
      database.notifications.send(topic, 'changed');
    },
    async close(): Promise<void> {
      stopListening();
      await polling?.stop();
    },
  };
}
