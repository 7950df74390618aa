import { AppError } from '../base/errors.js';
import type { StateName, StateRecords, StateStore } from '../base/state.js';

/** Counts of stored facts for the metrics. */
export interface FactCounts {
  /** Number of times that the wall clock has jumped. */
  readonly clockJumps: number;
  /** Days still to be compared with the provider, for the organization with the most such days. */
  readonly daysBehind: number;
}

/** Counts stored facts. A damaged fact, which `data check` reports, counts as missing. */
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
