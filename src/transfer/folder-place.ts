import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import { systemFiles } from '../base/files/file-layer.js';
import { storageError } from '../base/files/storage-errors.js';
import { findSecrets } from '../config/secrets.js';
import { listFolder } from '../storage/json/collection-files.js';
import { checkDataFormat, readDataFormat } from '../storage/json/data-format.js';
import { lockDataFolder } from '../storage/json/data-lock.js';
import {
  markedFolder,
  readFolderMark,
  removeFolderMark,
  writeFolderMark,
} from '../storage/json/folder-mark.js';
import { prepareDataFolder } from '../storage/json/prepare-data-folder.js';
import { assertUnmarked } from '../storage/transfer-mark.js';
import { assertEmpty } from './assert-empty.js';
import { createEntryGroups } from './entry-groups.js';
import { fingerprints, type KnownSecrets } from './fingerprints.js';
import { dataNames, fillFolder, readFolder } from './folder-records.js';
import { assertNobodyWorks } from './live-workers.js';
import type { ReadAll, Source, Target } from './place.js';

export interface FolderOptions {
  readonly folder: string;
  /** What is done, for those who find the folder in use: `msgsite data export`. */
  readonly command: string;
  readonly clock: Clock;
}

/** The data of a folder that nobody works on while it is open here. */
export async function openFolderSource(
  options: FolderOptions & { readonly secrets: KnownSecrets },
): Promise<Source> {
  const { folder, command, clock, secrets } = options;
  if ((await listFolder(systemFiles, folder)).length === 0) {
    throw new AppError('unreadable_input', `There is no data in ${folder}.`, {
      hint: 'Name the data folder with --data or MSGSITE_DATA.',
    });
  }
  await readDataFormat(folder);
  const lock = await lockDataFolder({ folder, command, clock });
  try {
    const mark = await readFolderMark(folder);
    if (mark?.state === 'importing') assertUnmarked(mark, markedFolder(folder));
    await assertNobodyWorks(folder, clock.now());
    return {
      name: folder,
      storage: 'json',
      mark,
      secrets: fingerprints({ ...(await findSecrets(folder)), ...secrets }),
      read: readAllOf(folder),
      markMoved: (to) =>
        writeFolderMark(folder, { state: 'moved', place: to, since: timeOf(clock) }),
      close: lock.release,
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * An empty folder, or one that an import which was cut off has left: that begins anew. `from` tells people
 * where the data comes from; `sandbox` is false where the sandbox's state is in its place already.
 */
export async function openFolderTarget(
  options: FolderOptions & { readonly from: string; readonly sandbox: boolean },
): Promise<Target> {
  const { folder, command, clock, from, sandbox } = options;
  const isTaken = (name: string) => sandbox || !name.startsWith('sandbox');
  await prepareDataFolder(folder);
  const lock = await lockDataFolder({ folder, command, clock });
  const begin = async () => {
    await writeFolderMark(folder, { state: 'importing', place: from, since: timeOf(clock) });
    await removeData(folder, dataNames.filter(isTaken));
  };
  try {
    await checkDataFormat(folder);
    const mark = await readFolderMark(folder);
    if (mark?.state !== 'importing') {
      await assertNobodyWorks(folder, clock.now());
      await assertEmpty(
        folder,
        readFolder(folder, 0).filter(({ kind }) => isTaken(kind)),
      );
    }
    await begin();
    return {
      name: folder,
      storage: 'json',
      restart: begin,
      async load(stream) {
        const writers = await fillFolder(folder);
        const groups = createEntryGroups(stream.entries);
        for (const { kind, write } of writers) {
          await (isTaken(kind) ? write(groups.of(kind)) : passOver(groups.of(kind)));
        }
        await groups.end();
      },
      read: readAllOf(folder),
      release: () => removeFolderMark(folder),
      close: lock.release,
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function passOver(records: AsyncIterable<object>): Promise<void> {
  for await (const _ of records);
}

function readAllOf(folder: string): ReadAll {
  return (now, work) => work(readFolder(folder, now));
}

/** Only ever called where there was nothing, or what an import left that nobody was to use. */
async function removeData(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const path = join(folder, name);
    await rm(path, { recursive: true, force: true }).catch((cause) => {
      throw storageError(cause, path);
    });
  }
}

function timeOf(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}
