import { AppError } from '../base/errors.js';
import type { StateName, StateRecords, StateStore } from '../base/state.js';

/** What the metrics tell of stored facts. */
export interface FactCounts {
  /** How often the wall clock has jumped. */
  readonly clockJumps: number;
  /** Days that are left to be compared with the provider, of the organization that has most of them. */
  readonly daysBehind: number;
}

/** Counts what is stored; a damaged fact, which `data check` names, counts as none. */
export async function countFacts(state: Pick<StateStore, 'find'>): Promise<FactCounts> {
  async function find<Name extends StateName>(name: Name): Promise<StateRecords[Name] | undefined> {
    try {
      return await state.find(name);
    } catch (error) {
      if (error instanceof AppError && error.code === 'data_damaged') return undefined;
      throw error;
    }
  }
  const clock = await find('clock');
  const reconciliation = await find('reconciliation');
  return {
    clockJumps: clock?.jumps ?? 0,
    daysBehind: Math.max(0, ...Object.values(reconciliation?.behind ?? {})),
  };
}
