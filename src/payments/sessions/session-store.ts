/** A cashier's session as the gateway keeps it. Times are milliseconds since the epoch. */
export interface StoredSession {
  /** Digest of tokenSN: names the session without giving it away. */
  readonly id: string;
  readonly tokenSN: string;
  /** The provider's secret, sealed by the vault. */
  readonly vtokenSecret: string;
  readonly organizationId: number;
  readonly profileId: number;
  readonly orgName: string;
  readonly phone: string;
  readonly createdAt: number;
  /** Ended for clients; kept only to learn the outcome of open payments. */
  readonly loggedOutAt?: number;
  /** When the provider said that it has ended there. */
  readonly endedUpstreamAt?: number;
}

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
