import type { Database } from '../../storage/postgres/database.js';
import { createChanges } from '../change-index.js';
import type { Change, Changes } from '../store.js';

/** What has changed, as it goes from process to process: the topic is the kind, the detail the id. */
const topics = ['chat', 'list', 'person'] as const;
type Known = Exclude<Change, 'unknown'>;

/** Changes, and a way to report those that this process has made. */
export interface PostgresChanges extends Changes {
  /** Calls the listeners here at once and those of other processes soon. */
  report(...changes: readonly Known[]): void;
  close(): void;
}

/**
 * Changes of all processes: own ones at once, those of others by notifications, which say themselves where one may
 * have been missed.
 */
export function createPostgresChanges({ notifications }: Database): PostgresChanges {
  const { on, tell: emit } = createChanges();
  const stops = [
    notifications.onMissed(() => emit('unknown')),
    ...topics.map((topic) =>
      notifications.on(topic, (detail) => emit({ [topic]: Number(detail) } as Known)),
    ),
  ];

  return {
    on,
    report(...changes) {
      for (const change of changes) {
        emit(change);
        for (const [topic, id] of Object.entries(change)) notifications.send(topic, String(id));
      }
    },
    close() {
      for (const stop of stops) stop();
    },
  };
}
