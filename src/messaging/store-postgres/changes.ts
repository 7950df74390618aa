import type { Database } from '../../storage/postgres/database.js';
import { createChanges } from '../change-index.js';
import type { Change, Changes } from '../store.js';

/** Kinds of changes that are sent between processes. A notification's topic is the kind, and its detail is the ID. */
const topics = ['chat', 'list', 'person'] as const;
type Known = Exclude<Change, 'unknown'>;

/** Changes of all processes, and a method to report those of this process. */
export interface PostgresChanges extends Changes {
  /** Calls the listeners of this process immediately, and notifies other processes. */
  report(...changes: readonly Known[]): void;
  close(): void;
}

/**
 * Creates a source of changes in all processes. Other processes send notifications. If one may have been missed,
 * `unknown` is reported.
 */
export function createPostgresChanges({ notifications }: Database): PostgresChanges {
  const { on, notify: emit } = createChanges();
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
