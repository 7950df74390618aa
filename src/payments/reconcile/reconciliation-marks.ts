import type { Reconciled } from '#validators/state-records';
import type { StateStore } from '../../base/state.js';
import { withBehind, withCompared } from './reconcile-schedule.js';

/** Which days were compared with the provider, shared by every process. */
export interface ReconciliationMarks {
  /** The first day that is compared without being asked for; `due` where none was so far. */
  since(due: string): Promise<string>;
  /** What is known of an organization. Compared days from `today` on are forgotten: they are not over. */
  of(organizationId: number, today: string): Promise<Reconciled>;
  /** Remembers that a day before `today` was compared. */
  note(organizationId: number, day: string, today: string): Promise<void>;
  /** Remembers that all days up to `due` were gone through, and which are left. */
  end(organizationId: number, due: string, left: readonly string[]): Promise<void>;
  /** Forgets what is left: nothing is compared without being asked for. */
  forget(): Promise<void>;
}

export function createReconciliationMarks(state: StateStore): ReconciliationMarks {
  const nameOf = (organizationId: number) => `reconciled-${organizationId}` as const;

  async function setBehind(organizationId: number, days: number): Promise<void> {
    const known = (await state.find('reconciliation'))?.behind[organizationId] ?? 0;
    if (known === days) return;
    await state.change(
      'reconciliation',
      (before) => before && withBehind(before, organizationId, days),
    );
  }

  return {
    async since(due) {
      const known =
        (await state.find('reconciliation')) ??
        (await state.change('reconciliation', (before) =>
          before ? undefined : { since: due, behind: {} },
        ));
      return known?.since ?? due;
    },
    async of(organizationId, today) {
      const name = nameOf(organizationId);
      const isOver = (day: string) => day < today;
      const known = (await state.find(name)) ?? { compared: [], behind: [] };
      if (known.compared.every(isOver)) return known;
      const changed = await state.change(
        name,
        (before) => before && { ...before, compared: before.compared.filter(isOver) },
      );
      return changed ?? known;
    },
    async note(organizationId, day, today) {
      const noted = await state.change(nameOf(organizationId), (before) =>
        withCompared(before, day, today),
      );
      await setBehind(organizationId, noted?.behind.length ?? 0);
    },
    async end(organizationId, due, left) {
      await state.change(nameOf(organizationId), (before) => ({
        ...{ compared: before?.compared ?? [], behind: [...left] },
        due,
      }));
      await setBehind(organizationId, left.length);
    },
    async forget() {
      await state.change('reconciliation', (before) =>
        before && Object.keys(before.behind).length > 0 ? { ...before, behind: {} } : undefined,
      );
    },
  };
}
