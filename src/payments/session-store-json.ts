import type { Clock } from '../clock.js';
import { createSpool } from '../storage/json/spool.js';
import type { SessionStore, StoredSession } from './session-store.js';

const day = 86_400_000;

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
  return {
    async add(session) {
      await spool.create(session.id, 'kept', session);
    },
    async find(id) {
      const entry = await spool.read(id);
      return entry?.state === 'kept' ? entry.record : undefined;
    },
    async update(session) {
      await spool.update(session.id, session);
    },
    async erase(session) {
      await spool.move(session.id, 'erased', { record: blank(session) });
      await sweep();
    },
    ids: () => spool.ids('kept'),
  };
}

function blank(session: StoredSession): StoredSession {
  return { ...session, tokenSN: '', vtokenSecret: '', phone: '', orgName: '' };
}
