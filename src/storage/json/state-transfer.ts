import { join } from 'node:path';
import { systemFiles } from '../../base/files/file-layer.js';
import { compareTexts, type RecordReader, type RecordWriter } from '../../base/records.js';
import { describeHeld, holdAdvice } from '../../base/running-time.js';
import type { NamedFact } from '../../base/state.js';
import { asDamage, type DataChecker } from './check/data-checker.js';
import { recordsChecker } from './records/record-checker.js';
import { createRecordReader } from './records/record-reader.js';
import { readRecords, recordWriter } from './records/record-transfer.js';
import { statePlan, typed } from './state-store.js';

/** Reads the facts in a folder that no process uses. */
export function readJsonState(folder: string): RecordReader {
  return {
    kind: 'state',
    async *read() {
      const found: NamedFact[] = [];
      for await (const { id, record } of readRecords(folder, statePlan)) {
        found.push({ name: id, record });
      }
      // File names are in another order than the names of the facts.
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
    // Damage has just been reported.
    const clock = await readClock(join(data, 'state')).catch((error) => void asDamage(error));
    const message = clock && describeHeld(clock.record);
    if (message) report({ severity: 'note', file: clock.file, message, advice: holdAdvice });
  },
};
