import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AppError } from '../../base/errors.js';
import { syncFolder } from '../../base/files/durable-write.js';
import { systemFiles } from '../../base/files/file-layer.js';
import { storageError } from '../../base/files/storage-errors.js';
import { asDamage } from '../../storage/json/check/data-checker.js';
import { fileNameOf } from '../../storage/json/records/record-paths.js';
import { createRecordReader, type RecordPlace } from '../../storage/json/records/record-reader.js';
import { type PaymentState, paymentKey } from '../payment.js';
import { organizationsOfFiles, writeOrganizations } from './organizations.js';
import { paymentPlan } from './plans.js';

/** Files read at once. */
const readAhead = 32;

/**
 * Gives the files of payments the names that they have since format 3, `17-qr-1001.json`: before, the
 * organization was not part of them. Nobody else works on the folder. Cut off at any moment, it can be
 * done again. All is on disk when it resolves; that the organizations are written down is the last step.
 * `setAside` is called for a file that is damaged: whose it is cannot be said.
 */
export async function renamePayments(
  folder: string,
  setAside: (path: string, error: AppError) => Promise<void>,
): Promise<void> {
  if (!existsSync(folder)) return;
  const reader = createRecordReader(folder, paymentPlan, systemFiles);

  async function renameOne({ path, state }: RecordPlace<PaymentState>): Promise<void> {
    const found = await reader.readAt({ path, state }).catch(asDamage);
    if (!found) return;
    if (found instanceof Error) return setAside(path, found);
    const target = join(dirname(path), fileNameOf(paymentKey(found.record)));
    await systemFiles.rename(path, target).catch((cause) => {
      throw storageError(cause, path);
    });
  }

  const places = [
    ...reader.claimFolders(),
    ...reader.states.flatMap(reader.foldersOf),
    ...reader.secondFolders(),
  ];
  for (const place of places) {
    const names = await reader.namesIn(place);
    const older = names.filter(isOlderName).map((name) => join(place.path, name));
    for (let start = 0; start < older.length; start += readAhead) {
      const some = older.slice(start, start + readAhead);
      await Promise.all(some.map((path) => renameOne({ ...place, path })));
    }
    // Also what was renamed before this was cut off.
    if (names.length > 0) await syncFolder(systemFiles, place.path);
  }
  await writeOrganizations(folder, await organizationsOfFiles(folder));
}

function isOlderName(name: string): boolean {
  return /^(qr|invoice)-\d+\.json$/.test(name);
}
