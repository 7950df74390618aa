import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../../base/clock.js';
import type { AppError } from '../../../../base/errors.js';
import { openRecordFolder } from '../../../../storage/json/records/record-folder.js';
import { type SandboxSession, sandboxPlans } from './plans.js';

/** Time during which a session that another process has ended may still be accepted, in milliseconds. */
const freshFor = 200;
/** Time after which an unused session expires, in milliseconds. @bound */
const unusedLife = 30 * 86_400_000;
/** Minimum time between two stored uses of a session, in milliseconds. */
const useNoted = 3_600_000;
/** Interval between two searches for expired sessions, in milliseconds. */
const cleanUpEvery = 3_600_000;

interface SessionBounds {
  readonly max: number;
  /** Number of sessions that remain after a removal. Each removal deletes many, because it reads all sessions. */
  readonly keptOfTooMany: number;
}

/** Maximum number of sessions, and the number that is kept when it is exceeded. */
const usualBounds: SessionBounds = { max: 10_000, keptOfTooMany: 9_500 };

/** Opens the store of sessions, which several processes share. */
export async function openSandboxSessions(
  folder: string,
  clock: Clock,
  { max, keptOfTooMany }: SessionBounds = usualBounds,
  onDamaged?: (error: AppError) => void,
) {
  const sessions = await openRecordFolder({
    folder,
    plan: sandboxPlans.sessions,
    clock,
    ...(onDamaged ? { onDamaged } : {}),
  });
  // Every call requires its session, and reading the file each time would take half of the call's time.
  const cached = new LRUCache<string, { session: SandboxSession; readAt: number }>({
    /** Maximum number of cached sessions. */
    max: 1000,
  });
  let cleanUpAt = clock.monotonic();

  const isAlive = (session: SandboxSession) => lastUse(session) + unusedLife > clock.now();

  async function end({ tokenSN }: Pick<SandboxSession, 'tokenSN'>): Promise<void> {
    await sessions.remove(idOf(tokenSN));
    cached.delete(tokenSN);
  }

  function noteUse(tokenSN: string): Promise<SandboxSession | undefined> {
    return sessions.change(idOf(tokenSN), (session) => {
      const used = session && { ...session, usedAt: clock.now() };
      return { ...(used ? { record: used } : {}), result: used };
    });
  }

  async function cleanUp(): Promise<void> {
    const { length } = await sessions.ids('kept');
    if (length <= max && clock.monotonic() < cleanUpAt) return;
    cleanUpAt = clock.monotonic() + cleanUpEvery;
    const alive: SandboxSession[] = [];
    const gone: SandboxSession[] = [];
    for await (const { record } of sessions.list(['kept'])) {
      (isAlive(record) ? alive : gone).push(record);
    }
    if (alive.length > max) {
      alive.sort((a, b) => lastUse(a) - lastUse(b));
      gone.push(...alive.slice(0, alive.length - keptOfTooMany));
    }
    await Promise.all(gone.map(end));
  }

  return {
    /** Returns the session and records its use. */
    async use(tokenSN: string): Promise<SandboxSession | undefined> {
      const recent = cached.get(tokenSN);
      if (recent && clock.monotonic() - recent.readAt < freshFor) return recent.session;
      let session = (await sessions.find(idOf(tokenSN)))?.record;
      if (session && !isAlive(session)) return undefined;
      if (session && clock.now() - lastUse(session) >= useNoted) session = await noteUse(tokenSN);
      if (session) cached.set(tokenSN, { session, readAt: clock.monotonic() });
      return session;
    },
    async add(session: SandboxSession): Promise<void> {
      await sessions.create(idOf(session.tokenSN), session);
      await cleanUp();
    },
    end: (tokenSN: string) => end({ tokenSN }),
    async endAllOf(organizationId: number): Promise<void> {
      for await (const { record } of sessions.list(['kept'])) {
        if (record.organizationId === organizationId) await end(record);
      }
    },
    close: sessions.close,
  };
}

function lastUse({ usedAt, createdAt }: SandboxSession): number {
  return usedAt ?? createdAt;
}

function idOf(tokenSN: string): string {
  return hash('sha256', tokenSN);
}
