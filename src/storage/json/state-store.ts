import { join } from 'node:path';
import type { Clock } from '../../base/clock.js';
import type { FileLayer } from '../../base/files/file-layer.js';
import { systemFiles } from '../../base/files/file-layer.js';
import { compareTexts, type RecordReader, type RecordWriter } from '../../base/records.js';
import { describeHeld, holdAdvice } from '../../base/running-time.js';
import type { NamedFact } from '../../base/state.js';
import {
  assertState,
  faultOfState,
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
  /** `<data>/state`. */
  readonly folder: string;
  readonly clock: Clock;
  /** The name of this process in owner files, such as `serve` or `pay`. */
  readonly label: string;
  readonly files?: FileLayer;
  /** Creates and removes nothing. */
  readonly readOnly?: boolean;
}

/** Each fact has its own file in `kept/`. */
const statePlan: RecordPlan<object, 'kept'> = {
  states: { kept: 'flat' },
  faultOf: (record, name) => faultOfState(name, record),
  placeOf: () => ({ state: 'kept' }),
};

/** Types a record that `faultOfState` has validated for its name. */
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

/** Reads the facts in a folder that no process uses. */
export function readJsonState(folder: string): RecordReader {
  return {
    kind: 'state',
    async *read() {
      const found: NamedFact[] = [];
      for await (const { id, record } of readRecords(folder, statePlan)) {
        found.push({ name: id, record });
      }
      // File names are sorted differently from the names of the facts.
      yield* found.sort((a, b) => compareTexts(a.name, b.name));
    },
  };
}

/** Returns the stored running time in a folder that no process uses. */
export async function storedRunningTime(folder: string): Promise<number | undefined> {
  return (await readClock(folder))?.record.ranFor;
}

/** Reads the clock and returns it with the path of its file. Other processes may use the folder. */
async function readClock(folder: string) {
  const reader = createRecordReader(folder, statePlan, systemFiles);
  for await (const place of reader.placesOf('clock')) {
    const found = await reader.readAt(place);
    if (found) return { file: place.path, record: typed<'clock'>(found.record) };
  }
  return undefined;
}

/** Fills a folder that contains no facts yet. */
export function fillJsonState(folder: string): RecordWriter {
  return recordWriter('state', folder, statePlan, ({ name, record }: NamedFact) => [name, record]);
}

const filesChecker = recordsChecker('state', { state: statePlan });

/** Checks and repairs the facts of a data folder, and reports a clock that has jumped. */
export const stateChecker: DataChecker = {
  ...filesChecker,
  async check(data, report) {
    await filesChecker.check(data, report);
    // The check above has reported damage.
    const clock = await readClock(join(data, 'state')).catch((error) => void asDamage(error));
    const message = clock && describeHeld(clock.record);
    if (message) report({ severity: 'note', file: clock.file, message, advice: holdAdvice });
  },
};
