import { join } from 'node:path';
import { ensureFolder, listFolder, syncFolder } from '../../base/files/durable-write.js';
import { type FileLayer, systemFiles } from '../../base/files/file-layer.js';
import { isExisting, storageError } from '../../base/files/storage-errors.js';
import { createRounds } from '../../base/turns.js';

/** The folder with an empty file for each organization that has payments. */
export function organizationsFolder(payments: string): string {
  return join(payments, 'organizations');
}

/** The organizations that have, or had, payments here. */
export async function readOrganizations(
  payments: string,
  files: FileLayer = systemFiles,
): Promise<number[]> {
  const names = await listFolder(files, organizationsFolder(payments));
  return names.filter((name) => /^-?\d{1,16}$/.test(name)).map(Number);
}

/** Writes organizations down: their payments are found without their being named from then on. */
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
  // Also for what another process has made and may not have synced.
  await syncFolder(files, folder);
}

/** Remembers which organizations this process has found on disk, so that each is written down once. */
export function createOrganizations(payments: string) {
  const known = new Set<number>();
  const writing = createRounds((organization) =>
    writeOrganizations(payments, [Number(organization)]),
  );
  return {
    /** Resolves once the organization is on disk. */
    async note(organization: number): Promise<void> {
      if (known.has(organization)) return;
      await writing(String(organization));
      known.add(organization);
    },
    all: () => readOrganizations(payments),
  };
}
