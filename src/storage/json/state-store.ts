import { join } from 'node:path';
import type { Clock } from '../../base/clock.js';
import { type FileLayer, systemFiles } from '../../base/files/file-layer.js';
import { compareTexts, type RecordReader, type RecordWriter } from '../../base/records.js';
import { describeHeld, holdAdvice } from '../../base/running-time.js';
import {
  faultOfState,
  type NamedFact,
  type StateName,
  type StateRecords,
  type StateStore,
} from '../../base/state.js';
import { asDamage, type DataChecker } from './check/data-checker.js';
import { recordsChecker } from './records/record-checker.js';
import type { RecordPlan } from './records/record-file.js';
import { openRecordFolder } from './records/record-folder.js';
import { createRecordReader } from './records/record-reader.js';
import { readRecords, recordWriter } from './records/record-transfer.js';

export interface JsonStateOptions {
  /** `<data>/state`; data folders of older versions have none. */
  readonly folder: string;
  readonly clock: Clock;
  /** Who works here, for people who look into the folder: `serve`, `pay`. */
  readonly label: string;
  readonly files?: FileLayer;
  /** Makes and tidies nothing. */
  readonly readOnly?: boolean;
}

/** One file for each fact, in `kept/`. */
const statePlan: RecordPlan<object, 'kept'> = {
  states: { kept: 'flat' },
  faultOf: (record, name) => faultOfState(name, record),
  placeOf: () => ({ state: 'kept' }),
};

/** `faultOfState` has found the record to be what its name says. */
const typed = <Name extends StateName>(record: object) => record as StateRecords[Name];

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
          const result = { isThere: before !== undefined, kept: next ?? before };
          return { ...(next ? { record: next } : {}), result };
        });
        if (isThere) return kept;
        const first = change(undefined);
        if (!first || (await records.create(name, first))) return first;
        // Another process has just stored the first one: that one is changed.
      }
    },
    close: records.close,
  };
}

/** Reads the facts in a folder that nobody works on. */
export function readJsonState(folder: string): RecordReader {
  return {
    kind: 'state',
    async *read() {
      const found: NamedFact[] = [];
      for await (const { id, record } of readRecords(folder, statePlan)) {
        found.push({ name: id, record });
      }
      // File names have another order than the names that they stand for.
      yield* found.sort((a, b) => compareTexts(a.name, b.name));
    },
  };
}

/** Returns the running time as it is stored in a folder that nobody works on. */
export async function storedRunningTime(folder: string): Promise<number | undefined> {
  return (await readClock(folder))?.record.ranFor;
}

/** Reads the clock and names its file, in a folder that others may work on. */
async function readClock(folder: string) {
  const reader = createRecordReader(folder, statePlan, systemFiles);
  for await (const place of reader.placesOf('clock')) {
    const found = await reader.readAt(place);
    if (found) return { file: place.path, record: typed<'clock'>(found.record) };
  }
  return undefined;
}

/** Fills a folder that holds no facts yet. */
export function fillJsonState(folder: string): RecordWriter {
  return recordWriter('state', folder, statePlan, ({ name, record }: NamedFact) => [name, record]);
}

const filesChecker = recordsChecker('state', { state: statePlan });

/** Checks and repairs the facts of a data folder, and tells of a clock that has jumped. */
export const stateChecker: DataChecker = {
  ...filesChecker,
  async check(data, report) {
    await filesChecker.check(data, report);
    // What is damaged has just been reported.
    const clock = await readClock(join(data, 'state')).catch((error) => void asDamage(error));
    const message = clock && describeHeld(clock.record);
    if (message) report({ severity: 'note', file: clock.file, message, advice: holdAdvice });
  },
};
