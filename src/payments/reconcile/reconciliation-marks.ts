import type { Reconciled } from '#validators/state-records';
import type { StateStore } from '../../base/state.js';
import { withBehind, withCompared } from './reconcile-schedule.js';

/** Stores which days were compared with the provider, for all processes. */
export interface ReconciliationMarks {
  /** Returns the first day that is compared automatically; `due` if none has been so far. */
  since(due: string): Promise<string>;
  /** Returns an organization's record. Compared days from `today` on are forgotten, as they have not ended. */
  of(organizationId: number, today: string): Promise<Reconciled>;
  /** Stores that a day before `today` was compared. */
  note(organizationId: number, day: string, today: string): Promise<void>;
  /** Stores that all days up to `due` were checked, and which of them are left. */
  end(organizationId: number, due: string, left: readonly string[]): Promise<void>;
  /** Forgets the days that are left, because automatic comparison is off. */
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
