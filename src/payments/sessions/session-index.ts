import type { Clock } from '../../base/clock.js';
import type { StoredSession } from '../records.js';
import type { SessionStore } from '../store.js';

/** Time within which a logout in another process is detected, in milliseconds. */
const freshFor = 1000;
/** Maximum number of sessions that one poll of a payment tries. */
const maxTries = 3;

/** Caches sessions in memory, so that polls read no files. Also reads the changes of other processes. */
export function createSessionIndex(store: SessionStore, clock: Clock) {
  const known = new Map<string, { session: StoredSession; readAt: number }>();
  const byOrganization = new Map<number, Set<string>>();
  /** IDs of the sessions that can make payments. */
  const valid = new Set<string>();
  /** Organizations of new sessions that `refresh` has not returned yet. */
  const unreported = new Set<number>();
  let readOnce = false;

  function put(session: StoredSession): void {
    const { id, organizationId } = session;
    known.set(id, { session, readAt: clock.monotonic() });
    const ids = byOrganization.get(organizationId);
    if (ids) ids.add(id);
    else byOrganization.set(organizationId, new Set([id]));
    if (isValid(session)) valid.add(id);
    else valid.delete(id);
  }

  function remove(id: string): void {
    const entry = known.get(id);
    known.delete(id);
    if (entry) byOrganization.get(entry.session.organizationId)?.delete(id);
    valid.delete(id);
  }

  async function reread(id: string): Promise<void> {
    const entry = known.get(id);
    // Marks the session as read first, so that concurrent polls share one read.
    if (entry) entry.readAt = clock.monotonic();
    const session = await store.find(id);
    if (session) put(session);
    else remove(id);
  }

  function ofOrganization(organizationId: number): StoredSession[] {
    const ids = [...(byOrganization.get(organizationId) ?? [])];
    return ids.flatMap((id) => known.get(id)?.session ?? []);
  }

  /** Reads new sessions from the store. */
  async function readNew(): Promise<void> {
    const ids = new Set(await store.ids());
    for (const id of known.keys()) if (!ids.has(id)) remove(id);
    const fresh = [...ids].filter((id) => !known.has(id));
    for (const id of fresh) await reread(id);
    readOnce = true;
    // A session may stay stored after a logout in another process, so the sessions in use are read again.
    await rereadStale(newestValid().slice(0, maxTries));
    for (const id of fresh) {
      const organizationId = known.get(id)?.session.organizationId;
      if (organizationId !== undefined) unreported.add(organizationId);
    }
  }

  /** Reads new sessions. Returns the organizations of all new sessions since the last call. */
  async function refresh(): Promise<number[]> {
    await readNew();
    const organizations = [...unreported];
    unreported.clear();
    return organizations;
  }

  /** Rereads sessions that another process may have changed. Returns whether there were any. */
  async function rereadStale(sessions: readonly StoredSession[]): Promise<boolean> {
    const now = clock.monotonic();
    const stale = sessions.filter(({ id }) => now - (known.get(id)?.readAt ?? 0) >= freshFor);
    for (const { id } of stale) await reread(id);
    return stale.length > 0;
  }

  function newestValid(organizationId?: number): StoredSession[] {
    const sessions = [...valid].flatMap((id) => known.get(id)?.session ?? []);
    return sessions
      .filter(
        (session) => organizationId === undefined || session.organizationId === organizationId,
      )
      .sort((a, b) => b.createdAt - a.createdAt);
  }

  const all = () => [...known.values()].map(({ session }) => session);

  return {
    put,
    get: (id: string) => known.get(id)?.session,
    remove,
    all,
    refresh,
    /** See Sessions.forPayment. */
    async choose(organizationId: number, madeWith: string): Promise<StoredSession[]> {
      if (!readOnce) await readNew();
      const best = () => rank(ofOrganization(organizationId), madeWith).slice(0, maxTries);
      const found = best();
      return (await rereadStale(found)) ? best() : found;
    },
    /** Returns whether a cached session can make payments. */
    hasValid: () => valid.size > 0,
    /** See Sessions.newest. */
    async newest(organizationId?: number): Promise<StoredSession[]> {
      const best = () => newestValid(organizationId).slice(0, maxTries);
      // A cashier may just have signed in through another process.
      if (!readOnce || best().length === 0) await readNew();
      const found = best();
      return (await rereadStale(found)) ? best() : found;
    },
  };
}

/** Returns whether a session can make payments. */
function isValid({ loggedOutAt, endedUpstreamAt }: StoredSession): boolean {
  return loggedOutAt === undefined && endedUpstreamAt === undefined;
}

/** Sorts the sessions of an organization, the best first; see Sessions.forPayment. */
export function rank(sessions: readonly StoredSession[], madeWith: string): StoredSession[] {
  const usable = sessions
    .filter(({ id, loggedOutAt }) => loggedOutAt === undefined || id === madeWith)
    .sort((a, b) => b.createdAt - a.createdAt);
  const alive = usable.filter(({ endedUpstreamAt }) => endedUpstreamAt === undefined);
  const valid = alive.filter(({ loggedOutAt }) => loggedOutAt === undefined);
  const kept = alive.filter(({ loggedOutAt }) => loggedOutAt !== undefined);
  // If no other session is left, an ended one is tried, because the provider may have reported its end by mistake.
  const ended = alive.length === 0 ? usable.slice(0, 1) : [];
  return [...valid, ...kept, ...ended];
}
