import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import { createSpool } from '../../storage/json/spool.js';
import { type SessionStore, type StoredSession, withMarksOf } from '../sessions/session-store.js';

const day = 86_400_000;
/** A change takes milliseconds; a longer claim belongs to a process that hangs. */
const claimLife = 5000;
const claimTries = 500;

/** Sessions as one file each in `kept/`; what is erased leaves an empty record for a day or two. */
export async function openJsonSessionStore(folder: string, clock: Clock): Promise<SessionStore> {
  const spool = await createSpool<StoredSession, 'kept' | 'erased'>({
    folder,
    states: { kept: 'flat', erased: 'by-day' },
    clock,
  });
  const sweep = () =>
    spool.removeDaysBefore('erased', new Date(clock.now() - day).toISOString().slice(0, 10));
  await sweep();

  /** Does `work` while nobody else changes the session; nothing where it is erased already. */
  async function exclusively(id: string, work: (kept: StoredSession) => Promise<void>) {
    for (let tries = 0; tries < claimTries; tries++) {
      const claim = await spool.claim(id, 'session', claimLife);
      if (claim) {
        try {
          if (claim.entry.state === 'kept') await work(claim.entry.record);
        } finally {
          await claim.release();
        }
        return;
      }
      if (!(await spool.read(id))) return;
      await new Promise((resolve) => setTimeout(resolve, claimLife / claimTries));
    }
    throw new AppError('storage_unavailable', 'A session stays locked by another process.');
  }

  return {
    async add(session) {
      await spool.create(session.id, 'kept', session);
    },
    async find(id) {
      const entry = await spool.read(id);
      return entry?.state === 'kept' ? entry.record : undefined;
    },
    async update(session) {
      await exclusively(session.id, async (kept) => {
        await spool.update(session.id, withMarksOf(kept, session));
      });
    },
    async erase({ id }) {
      await exclusively(id, async (kept) => {
        await spool.move(id, 'erased', { record: blank(kept) });
      });
      await sweep();
    },
    ids: () => spool.ids('kept'),
  };
}

function blank(session: StoredSession): StoredSession {
  return { ...session, tokenSN: '', vtokenSecret: '', phone: '', orgName: '' };
}
