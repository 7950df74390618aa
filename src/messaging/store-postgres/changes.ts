import type { Database } from '../../storage/postgres/database.js';
import { createChanges } from '../change-index.js';
import type { Change, Changes } from '../store.js';

/** Kinds of changes that are sent between processes. The notification's topic is the kind, its detail the ID. */
const topics = ['chat', 'list', 'person'] as const;
type Known = Exclude<Change, 'unknown'>;

/** Changes of all processes, and a method to report those of this process. */
export interface PostgresChanges extends Changes {
  /** Calls the listeners of this process at once, and those of other processes soon. */
  report(...changes: readonly Known[]): void;
  close(): void;
}

/**
 * Creates the changes of all processes. Other processes send notifications; `unknown` is reported if one may have been
 * missed.
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
