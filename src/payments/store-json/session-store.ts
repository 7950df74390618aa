import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import type { FileLayer } from '../../base/files/file-layer.js';
import { openRecordFolder } from '../../storage/json/records/record-folder.js';
import { type SessionStore, withMarksOf } from '../store.js';
import { sessionPlan } from './plans.js';

/** Sessions as one file each. `onDamaged` is called once for each that cannot be read; it counts as ended. */
export async function openJsonSessionStore(
  folder: string,
  clock: Clock,
  onDamaged: (error: AppError) => void,
  files?: FileLayer,
): Promise<SessionStore & { close(): Promise<void> }> {
  const sessions = await openRecordFolder({
    folder,
    plan: sessionPlan,
    clock,
    ...(files ? { files } : {}),
  });
  const damaged = new Set<string>();

  function reportDamage(id: string, error: unknown): undefined {
    if (!(error instanceof AppError) || error.code !== 'data_damaged') throw error;
    if (!damaged.has(id)) onDamaged(error);
    damaged.add(id);
  }

  return {
    async add(session) {
      await sessions.create(session.id, session);
    },
    find: (id) =>
      sessions.find(id).then(
        (found) => found?.record,
        (error) => reportDamage(id, error),
      ),
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
