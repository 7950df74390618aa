import type { Session as StoredSession } from '#validators/payment-records';

/** A cashier's session as the gateway keeps it. Times are milliseconds since the epoch. */
export type { Session as StoredSession } from '#validators/payment-records';

/** A changed session with the marks of the one that is kept: marks are only ever set. Pure. */
export function withMarksOf(kept: StoredSession, changed: StoredSession): StoredSession {
  const { loggedOutAt, endedUpstreamAt } = kept;
  return {
    ...changed,
    ...(loggedOutAt === undefined ? {} : { loggedOutAt }),
    ...(endedUpstreamAt === undefined ? {} : { endedUpstreamAt }),
  };
}

/** Where sessions are kept, shared by every process of one data directory. */
export interface SessionStore {
  add(session: StoredSession): Promise<void>;
  find(id: string): Promise<StoredSession | undefined>;
  /** Replaces a session that is not erased, but for marks that another process has set meanwhile. */
  update(session: StoredSession): Promise<void>;
  /** Forgets a session with its secret. */
  erase(session: StoredSession): Promise<void>;
  /** Names of every session that is not erased. */
  ids(): Promise<string[]>;
}
