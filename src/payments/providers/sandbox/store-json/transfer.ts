import { join } from 'node:path';
import type { RecordReader, RecordWriter } from '../../../../base/records.js';
import { recordFolderAt, recordsChecker } from '../../../../storage/json/record-checker.js';
import type { RecordPlan } from '../../../../storage/json/record-file.js';
import { readRecords, recordWriter } from '../../../../storage/json/record-transfer.js';
import { type KeptRecord, sandboxKinds } from '../../../records.js';
import { sandboxPlans } from './plans.js';

/** What the sandbox provider keeps in its folder, whichever storage the payments are in. */
export function readSandbox(folder: string): readonly RecordReader[] {
  return placesIn(folder).map(({ kind, place, plan }) => ({
    kind,
    async *read() {
      for await (const { id, record } of readRecords(place, plan)) {
        yield { id, record: { ...record } } satisfies KeptRecord;
      }
    },
  }));
}

/** Fills the sandbox's folder; a record with the id of one that is there takes its place. */
export function fillSandbox(folder: string): readonly RecordWriter[] {
  return placesIn(folder).map(({ kind, place, plan }) =>
    recordWriter(kind, place, plan, ({ id, record }: KeptRecord) => [id, record]),
  );
}

/** Checks the sandbox's files. */
export const sandboxChecker = recordsChecker(
  'sandbox',
  placesIn('sandbox').map(({ place, plan }) => recordFolderAt(place, plan)),
);

function placesIn(folder: string) {
  return Object.entries(sandboxKinds).map(([kind, name]) => {
    const plan: RecordPlan<object, 'kept'> = sandboxPlans[name];
    return { kind, place: join(folder, name), plan };
  });
}
