import type { Clock } from '../../base/clock.js';
import type { FileLayer } from '../../base/files/file-layer.js';
import {
  assertState,
  faultOfState,
  type StateName,
  type StateRecords,
  type StateStore,
} from '../../base/state.js';
import type { RecordPlan } from './records/record-file.js';
import { openRecordFolder } from './records/record-folder.js';

export interface JsonStateOptions {
  /** `<data>/state`. */
  readonly folder: string;
  readonly clock: Clock;
  /** The name of this process for people who look into the folder: `serve`, `pay`. */
  readonly label: string;
  readonly files?: FileLayer;
  /** Only reads: creates and removes nothing. */
  readonly readOnly?: boolean;
}

/** Keeps each fact in a file of its own in `kept/`. */
export const statePlan: RecordPlan<object, 'kept'> = {
  states: { kept: 'flat' },
  faultOf: (record, name) => faultOfState(name, record),
  placeOf: () => ({ state: 'kept' }),
};

/** A record that `faultOfState` has found valid for its name. */
export const typed = <Name extends StateName>(record: object) => record as StateRecords[Name];

/** Opens the facts of a data folder. */
export async function openJsonStateStore(
  options: JsonStateOptions,
): Promise<StateStore & { close(): Promise<void> }> {
  const records = await openRecordFolder({ ...options, plan: statePlan });

  return {
    async find<Name extends StateName>(name: Name) {
      const found = await records.find(name);
      return found && typed<Name>(found.record);
    },
    async change<Name extends StateName>(
      name: Name,
      change: (before: StateRecords[Name] | undefined) => StateRecords[Name] | undefined,
    ) {
      for (;;) {
        const { isThere, kept } = await records.change(name, (record) => {
          const before = record && typed<Name>(record);
          const next = before && change(before);
          if (next) assertState(name, next);
          const result = { isThere: before !== undefined, kept: next ?? before };
          return { ...(next ? { record: next } : {}), result };
        });
        if (isThere) return kept;
        const first = change(undefined);
        if (!first) return undefined;
        assertState(name, first);
        if (await records.create(name, first)) return first;
        // Another process has just stored the fact for the first time, so change that one.
      }
    },
    close: records.close,
  };
}
