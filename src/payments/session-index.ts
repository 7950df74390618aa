import type { Clock } from '../clock.js';
import type { SessionStore, StoredSession } from './session-store.js';

/** The sessions in memory, so that a poll reads no file; refreshed from what other processes store. */
export interface SessionIndex {
  put(session: StoredSession): void;
  get(id: string): StoredSession | undefined;
  remove(id: string): void;
  all(): StoredSession[];
  /** See Sessions.forPayment. */
  choose(organizationId: number, madeWith: string): Promise<StoredSession[]>;
  /** Reads sessions that are new in the store; gives their organizations. */
  refresh(): Promise<number[]>;
}

/** A logout in another process is noticed within this many milliseconds. */
const freshFor = 1000;
/** More sessions than this are not tried in one look at a payment. */
const tries = 3;

export function createSessionIndex(store: SessionStore, clock: Clock): SessionIndex {
  const known = new Map<string, { session: StoredSession; readAt: number }>();
  let readOnce = false;

  function put(session: StoredSession): void {
    known.set(session.id, { session, readAt: clock.now() });
  }

  async function reread(id: string): Promise<void> {
    const session = await store.find(id);
    if (session) put(session);
    else known.delete(id);
  }

  async function refresh(): Promise<number[]> {
    const ids = new Set(await store.ids());
    for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
    const fresh = [...ids].filter((id) => !known.has(id));
    for (const id of fresh) await reread(id);
    readOnce = true;
    return fresh.flatMap((id) => known.get(id)?.session.organizationId ?? []);
  }

  const all = () => [...known.values()].map(({ session }) => session);

  return {
    put,
    get: (id) => known.get(id)?.session,
    remove: (id) => void known.delete(id),
    all,
    refresh,
    async choose(organizationId, madeWith) {
      if (!readOnce) await refresh();
      const stale = rank(all(), organizationId, madeWith)
        .slice(0, tries)
        .filter(({ id }) => clock.now() - (known.get(id)?.readAt ?? 0) >= freshFor);
      for (const { id } of stale) await reread(id);
      return rank(all(), organizationId, madeWith).slice(0, tries);
    },
  };
}

/** The best first; see Sessions.forPayment. Pure. */
export function rank(
  sessions: readonly StoredSession[],
  organizationId: number,
  madeWith: string,
): StoredSession[] {
  const usable = sessions
    .filter((session) => session.organizationId === organizationId)
    .filter(({ id, loggedOutAt }) => loggedOutAt === undefined || id === madeWith)
    .sort((a, b) => b.createdAt - a.createdAt);
  const alive = usable.filter(({ endedUpstreamAt }) => endedUpstreamAt === undefined);
  const valid = alive.filter(({ loggedOutAt }) => loggedOutAt === undefined);
  const kept = alive.filter(({ loggedOutAt }) => loggedOutAt !== undefined);
  // The provider may have been wrong about the end: without another, one is tried now and then.
  const ended = alive.length === 0 ? usable.slice(0, 1) : [];
  return [...valid, ...kept, ...ended];
}
