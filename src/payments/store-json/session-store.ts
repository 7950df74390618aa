import type { Clock } from '../../base/clock.js';
import { openRecordFolder } from '../../storage/json/record-folder.js';
import { type SessionStore, withMarksOf } from '../sessions/session-store.js';
import { sessionPlan } from './plans.js';

/** Sessions as one file each. */
export async function openJsonSessionStore(
  folder: string,
  clock: Clock,
): Promise<SessionStore & { close(): Promise<void> }> {
  const sessions = await openRecordFolder({ folder, plan: sessionPlan, clock });
  return {
    async add(session) {
      await sessions.create(session.id, session);
    },
    find: async (id) => (await sessions.find(id))?.record,
    update: (session) =>
      sessions.change(session.id, (kept) => ({
        ...(kept ? { record: withMarksOf(kept, session) } : {}),
        result: undefined,
      })),
    erase: ({ id }) => sessions.remove(id),
    ids: () => sessions.allIds('kept'),
    close: sessions.close,
  };
}
