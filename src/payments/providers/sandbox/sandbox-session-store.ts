import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../base/clock.js';
import { createSpool } from '../../../storage/json/spool.js';
import { exclusively } from '../../../storage/json/spool-change.js';

/** A session that the sandbox gave. The secret itself is not kept, only its digest. */
export interface SandboxSession {
  readonly tokenSN: string;
  readonly secretDigest: string;
  readonly phone: string;
  readonly organizationId: number;
  readonly createdAt: number;
  /** When it was last used, to the hour; absent where it was not used after its first hour. */
  readonly usedAt?: number;
  /** Ended ones are removed; older versions kept them with this mark. */
  readonly endedAt?: number;
}

/** The sessions that can be used, as files that several processes share. */
export interface SandboxSessions {
  /** The session, which this counts as a use of. */
  use(tokenSN: string): Promise<SandboxSession | undefined>;
  add(session: SandboxSession): Promise<void>;
  end(tokenSN: string): Promise<void>;
  endAllOf(organizationId: number): Promise<void>;
}

/** A session that another process has ended is accepted for this long at most, in milliseconds. */
const freshFor = 200;
/** A session ends after 30 days without use. */
const unusedLife = 30 * 86_400_000;
/** How often a use is written down, in milliseconds. */
const useNoted = 3_600_000;
/** How often sessions that have ended by themselves are looked for, in milliseconds. */
const cleanUpEvery = 3_600_000;

/** How many sessions are kept. */
interface SessionBounds {
  /** Of more, the longest unused go. */
  readonly most: number;
  /** What is left then: cleaning up reads every session, so it makes room for many. */
  readonly keptOfTooMany: number;
}

const usualBounds: SessionBounds = { most: 10_000, keptOfTooMany: 9_500 };

export async function openSandboxSessions(
  folder: string,
  clock: Clock,
  { most, keptOfTooMany }: SessionBounds = usualBounds,
): Promise<SandboxSessions> {
  const states = { kept: 'flat' } as const;
  const spool = await createSpool<SandboxSession, 'kept'>({ folder, states, clock });
  // Every call asks for its session; reading the file each time would be half of a call's work.
  const seen = new LRUCache<string, { session: SandboxSession; readAt: number }>({ max: 1000 });
  let cleanUpAt = clock.now();

  const isAlive = (session: SandboxSession) =>
    session.endedAt === undefined && lastUse(session) + unusedLife > clock.now();

  async function end(tokenSN: string): Promise<void> {
    const id = idOf(tokenSN);
    await exclusively(spool, id, () => spool.remove(id));
    seen.delete(tokenSN);
  }

  function noteUse(tokenSN: string): Promise<SandboxSession | undefined> {
    const id = idOf(tokenSN);
    return exclusively(spool, id, async (session) => {
      if (!session) return undefined;
      const used = { ...session, usedAt: clock.now() };
      await spool.update(id, used);
      return used;
    });
  }

  async function cleanUp(): Promise<void> {
    const { length } = await spool.ids('kept');
    if (length <= most && clock.now() < cleanUpAt) return;
    cleanUpAt = clock.now() + cleanUpEvery;
    const alive: SandboxSession[] = [];
    const gone: SandboxSession[] = [];
    for await (const { record } of spool.list('kept'))
      (isAlive(record) ? alive : gone).push(record);
    if (alive.length > most) {
      alive.sort((a, b) => lastUse(a) - lastUse(b));
      gone.push(...alive.slice(0, alive.length - keptOfTooMany));
    }
    for (const { tokenSN } of gone) await end(tokenSN);
  }

  return {
    async use(tokenSN) {
      const recent = seen.get(tokenSN);
      if (recent && clock.now() - recent.readAt < freshFor) return recent.session;
      let session = (await spool.read(idOf(tokenSN)))?.record;
      if (session && !isAlive(session)) return undefined;
      if (session && clock.now() - lastUse(session) >= useNoted) session = await noteUse(tokenSN);
      if (session) seen.set(tokenSN, { session, readAt: clock.now() });
      return session;
    },
    async add(session) {
      await spool.create(idOf(session.tokenSN), 'kept', session);
      await cleanUp();
    },
    end,
    async endAllOf(organizationId) {
      for await (const { record } of spool.list('kept')) {
        if (record.organizationId === organizationId) await end(record.tokenSN);
      }
    },
  };
}

function lastUse({ usedAt, createdAt }: SandboxSession): number {
  return usedAt ?? createdAt;
}

function idOf(tokenSN: string): string {
  return createHash('sha256').update(tokenSN, 'utf8').digest('hex');
}
