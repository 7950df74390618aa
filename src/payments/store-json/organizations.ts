import { join } from 'node:path';
import { ensureFolder, listFolder, syncFolder } from '../../base/files/durable-write.js';
import { type FileLayer, systemFiles } from '../../base/files/file-layer.js';
import { isExisting, storageError } from '../../base/files/storage-errors.js';
import { createRounds } from '../../base/turns.js';
import { type DataChecker, faultAt } from '../../storage/json/check/data-checker.js';
import { createRecordReader } from '../../storage/json/records/record-reader.js';
import { paymentPlan } from './plans.js';

/** Returns the folder with an empty file for each organization that has payments. */
function organizationsFolder(payments: string): string {
  return join(payments, 'organizations');
}

/** Returns the IDs of the organizations that have or had payments. */
export async function readOrganizations(
  payments: string,
  files: FileLayer = systemFiles,
): Promise<number[]> {
  const names = await listFolder(files, organizationsFolder(payments));
  return names.filter((name) => /^-?\d{1,16}$/.test(name)).map(Number);
}

/** Stores the IDs of organizations, so that their payments can be found by payment ID alone. */
export async function writeOrganizations(
  payments: string,
  organizations: Iterable<number>,
  files: FileLayer = systemFiles,
): Promise<void> {
  const folder = organizationsFolder(payments);
  await ensureFolder(files, folder);
  for (const organization of organizations) {
    const path = join(folder, String(organization));
    try {
      await (await files.open(path, 'wx')).close();
    } catch (cause) {
      if (!isExisting(cause)) throw storageError(cause, path);
    }
  }
  // Another process may have created a file without syncing the folder yet.
  await syncFolder(files, folder);
}

/** Returns the organizations of the stored payments, which the file names contain. */
async function organizationsOfFiles(payments: string): Promise<Set<number>> {
  const reader = createRecordReader(payments, paymentPlan, systemFiles);
  const folders = [...reader.claimFolders(), ...reader.states.flatMap(reader.foldersOf)];
  const found = new Set<number>();
  for (const folder of folders) {
    for (const name of await reader.namesIn(folder)) {
      const [, organization] = /^(-?\d{1,16})-(?:qr|invoice)-\d+\.jsonl$/.exec(name) ?? [];
      if (organization !== undefined) found.add(Number(organization));
    }
  }
  return found;
}

/** Checks that the organizations of all payments are stored. A repair stores missing ones. */
export const organizationsChecker: DataChecker = {
  name: 'organizations',
  async check(data, report) {
    for (const file of await missingFiles(join(data, 'payments')))
      report(faultAt({ file }, missing));
  },
  async repair(data, { tell }) {
    const payments = join(data, 'payments');
    const files = await missingFiles(payments);
    if (files.length === 0) return;
    await writeOrganizations(payments, await organizationsOfFiles(payments));
    for (const file of files) tell({ file, message: `${missing} It was created again.` });
  },
};

const missing =
  'This file is missing, so payments of this organization cannot be found by ID alone.';

async function missingFiles(payments: string): Promise<string[]> {
  const known = new Set(await readOrganizations(payments));
  const unknown = [...(await organizationsOfFiles(payments))].filter((each) => !known.has(each));
  return unknown.map((organization) => join(organizationsFolder(payments), String(organization)));
}

/** Caches the organizations that are on disk, so that each is written only once. */
export function createOrganizations(payments: string, files: FileLayer = systemFiles) {
  const known = new Set<number>();
  const writing = createRounds((organization) =>
    writeOrganizations(payments, [Number(organization)], files),
  );
  return {
    /** Stores an organization, unless it is already on disk. */
    async note(organization: number): Promise<void> {
      if (known.has(organization)) return;
      await writing(String(organization));
      known.add(organization);
    },
    all: () => readOrganizations(payments, files),
  };
}
