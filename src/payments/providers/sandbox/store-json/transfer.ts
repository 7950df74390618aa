import { join } from 'node:path';
import type { RecordReader, RecordWriter } from '../../../../base/records.js';
import { recordsChecker } from '../../../../storage/json/records/record-checker.js';
import type { RecordPlan } from '../../../../storage/json/records/record-file.js';
import { readRecords, recordWriter } from '../../../../storage/json/records/record-transfer.js';
import { type KeptRecord, sandboxKinds } from '../../../records.js';
import { sandboxPlans } from './plans.js';

/** Returns readers for the sandbox's records. They are always in a folder, even if the payments are in PostgreSQL. */
export function readSandbox(folder: string): readonly RecordReader[] {
  return foldersIn(folder).map(({ kind, path, plan }) => ({
    kind,
    async *read() {
      for await (const { id, record } of readRecords(path, plan)) {
        yield { id, record: { ...record } } satisfies KeptRecord;
      }
    },
  }));
}

/** Returns writers for the sandbox's records. A record replaces one with the same ID. */
export function fillSandbox(folder: string): readonly RecordWriter[] {
  return foldersIn(folder).map(({ kind, path, plan }) =>
    recordWriter(kind, path, plan, ({ id, record }: KeptRecord) => [id, record]),
  );
}

/** Checks the sandbox's files. */
export const sandboxChecker = recordsChecker(
  'sandbox',
  Object.fromEntries(foldersIn('sandbox').map(({ path, plan }) => [path, plan])),
);

function foldersIn(folder: string) {
  return Object.entries(sandboxKinds).map(([kind, name]) => {
    const plan: RecordPlan<object, 'kept'> = sandboxPlans[name];
    return { kind, path: join(folder, name), plan };
  });
}
