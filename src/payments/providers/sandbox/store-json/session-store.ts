import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../../base/clock.js';
import type { AppError } from '../../../../base/errors.js';
import { openRecordFolder } from '../../../../storage/json/records/record-folder.js';
import { type SandboxSession, sandboxPlans } from './plans.js';

/** Milliseconds for which a session that another process has ended may still be accepted. */
const freshFor = 200;
/** Milliseconds after which an unused session ends. @bound */
const unusedLife = 30 * 86_400_000;
/** Milliseconds after which another use of a session is stored. */
const useNoted = 3_600_000;
/** Milliseconds between two searches for expired sessions. */
const cleanUpEvery = 3_600_000;

interface SessionBounds {
  readonly most: number;
  /** The number that is left after a removal. Each removal reads all sessions, so it removes many. */
  readonly keptOfTooMany: number;
}

/** The most sessions, and how many are kept if there are more. */
const usualBounds: SessionBounds = { most: 10_000, keptOfTooMany: 9_500 };

/** Opens the usable sessions, which several processes share. */
export async function openSandboxSessions(
  folder: string,
  clock: Clock,
  { most, keptOfTooMany }: SessionBounds = usualBounds,
  onDamaged?: (error: AppError) => void,
) {
  const sessions = await openRecordFolder({
    folder,
    plan: sandboxPlans.sessions,
    clock,
    ...(onDamaged ? { onDamaged } : {}),
  });
  // Every call needs its session, and reading the file each time would be half of a call's work.
  const seen = new LRUCache<string, { session: SandboxSession; readAt: number }>({
    /** The most sessions that are cached. */
    max: 1000,
  });
  let cleanUpAt = clock.monotonic();

  const isAlive = (session: SandboxSession) => lastUse(session) + unusedLife > clock.now();

  async function end({ tokenSN }: Pick<SandboxSession, 'tokenSN'>): Promise<void> {
    await sessions.remove(idOf(tokenSN));
    seen.delete(tokenSN);
  }

  function noteUse(tokenSN: string): Promise<SandboxSession | undefined> {
    return sessions.change(idOf(tokenSN), (session) => {
      const used = session && { ...session, usedAt: clock.now() };
      return { ...(used ? { record: used } : {}), result: used };
    });
  }

  async function cleanUp(): Promise<void> {
    const { length } = await sessions.ids('kept');
    if (length <= most && clock.monotonic() < cleanUpAt) return;
    cleanUpAt = clock.monotonic() + cleanUpEvery;
    const alive: SandboxSession[] = [];
    const gone: SandboxSession[] = [];
    for await (const { record } of sessions.list(['kept'])) {
      (isAlive(record) ? alive : gone).push(record);
    }
    if (alive.length > most) {
      alive.sort((a, b) => lastUse(a) - lastUse(b));
      gone.push(...alive.slice(0, alive.length - keptOfTooMany));
    }
    await Promise.all(gone.map(end));
  }

  return {
    /** Returns the session and notes its use. */
    async use(tokenSN: string): Promise<SandboxSession | undefined> {
      const recent = seen.get(tokenSN);
      if (recent && clock.monotonic() - recent.readAt < freshFor) return recent.session;
      let session = (await sessions.find(idOf(tokenSN)))?.record;
      if (session && !isAlive(session)) return undefined;
      if (session && clock.now() - lastUse(session) >= useNoted) session = await noteUse(tokenSN);
      if (session) seen.set(tokenSN, { session, readAt: clock.monotonic() });
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
