import type { Reconciled } from '#validators/state-records';
import type { StateStore } from '../../base/state.js';
import { withBehind, withCompared } from './days.js';

/** Stores which days were compared with the provider. Shared by all processes. */
export type ReconciliationMarks = ReturnType<typeof createReconciliationMarks>;

export function createReconciliationMarks(state: StateStore) {
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
    /** Returns the first day that is compared automatically. The first call stores and returns `due`. */
    async since(due: string): Promise<string> {
      const known =
        (await state.find('reconciliation')) ??
        (await state.change('reconciliation', (before) =>
          before ? undefined : { since: due, behind: {} },
        ));
      return known?.since ?? due;
    },
    /** Returns an organization's record. Removes compared days from `today` on, because they have not ended. */
    async of(organizationId: number, today: string): Promise<Reconciled> {
      const name = nameOf(organizationId);
      const hasEnded = (day: string) => day < today;
      const known = (await state.find(name)) ?? { compared: [], behind: [] };
      if (known.compared.every(hasEnded)) return known;
      const changed = await state.change(
        name,
        (before) => before && { ...before, compared: before.compared.filter(hasEnded) },
      );
      return changed ?? known;
    },
    /** Stores that a day before `today` was compared. */
    async note(organizationId: number, day: string, today: string): Promise<void> {
      const noted = await state.change(nameOf(organizationId), (before) =>
        withCompared(before, day, today),
      );
      await setBehind(organizationId, noted?.behind.length ?? 0);
    },
    /** Stores that all days up to `due` were processed. `left` contains the days that could not be compared. */
    async end(organizationId: number, due: string, left: readonly string[]): Promise<void> {
      await state.change(nameOf(organizationId), (before) => ({
        ...{ compared: before?.compared ?? [], behind: [...left] },
        due,
      }));
      await setBehind(organizationId, left.length);
    },
    /** Removes the days that could not be compared, because automatic comparison is off. */
    async forget(): Promise<void> {
      await state.change('reconciliation', (before) =>
        before && Object.keys(before.behind).length > 0 ? { ...before, behind: {} } : undefined,
      );
    },
  };
}
