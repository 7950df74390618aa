import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { AppError } from '../base/errors.js';
import { ensureFolder, listFolder, syncFolder } from '../base/files/durable-write.js';
import { systemFiles } from '../base/files/file-layer.js';
import { storageError } from '../base/files/storage-errors.js';
import type { Logger } from '../base/log.js';
import type { RecordReader } from '../base/records.js';
import { keepReadThrough } from '../messaging/store-json/read-through.js';
import { renamePayments } from '../payments/store-json/rename-payments.js';
import { setAside, setFileAside } from '../storage/json/check/set-aside.js';
import {
  dataFormat,
  oldestFormat,
  readDataFormat,
  writeDataFormat,
} from '../storage/json/data-folder/data-format.js';
import type { FolderRecords } from '../transfer/place.js';
import { dataFolders, folderRecords } from './data-records.js';
import { nextFolder } from './folder-format.js';
import { readFormat1 } from './format-1/format-1.js';
import type { OldDamage } from './format-1/old-files.js';

/** The format whose payments were named without their organizations. */
const unnamedPayments = 2;

/**
 * Brings a data folder that nobody else works on to the present format, or goes on with that where it was cut
 * off. Of format 1 everything is written anew: the old files count until all new ones are on disk, then the
 * new ones do; only then they change places, one after the other. Of format 2 the payments get new names. Of
 * formats 2 and 3 it is kept up to which message everything counts as read.
 * What is damaged is set aside and logged; where it cannot be missed silently, it is `data_damaged`, and
 * all is as before.
 */
export async function bringOver(data: string, now: number, log?: Logger): Promise<void> {
  const first = await readDataFormat(data);
  if (first === undefined) return;
  try {
    if (first === oldestFormat) {
      const next = nextFolder(data, dataFormat);
      for (let format = oldestFormat + 1; format <= dataFormat; format += 1) {
        await rm(nextFolder(data, format), { recursive: true, force: true });
      }
      await writeAnew(next, readFormat1(data, now, createDamageHandler(data, log)));
      await syncFolder(systemFiles, data);
      await writeDataFormat(data);
    }
    const written = first === oldestFormat ? dataFormat : first;
    await changePlaces(data, nextFolder(data, written));
    if (written === dataFormat) return;
    if (first === unnamedPayments) {
      await renamePayments(join(data, 'payments'), async (path, { message }) => {
        const kept = await setFileAside(systemFiles, data, path);
        log?.error({ file: path, kept }, `Damaged, and set aside: ${message}`);
      });
    }
    // Last: until the format says so, an older version may have gone on in between.
    await keepReadThrough(join(data, 'messaging'), ({ severity, file, line, message }) => {
      if (severity === 'error') log?.error({ file, line }, message);
    });
    await writeDataFormat(data);
  } catch (cause) {
    throw storageError(cause, data);
  }
}

/** What was written anew takes the place of the older files. */
async function changePlaces(data: string, next: string): Promise<void> {
  if (!existsSync(next)) return;
  for (const name of await listFolder(systemFiles, next)) {
    await rm(join(data, name), { recursive: true, force: true });
    await systemFiles.rename(join(next, name), join(data, name));
    await syncFolder(systemFiles, data);
    await syncFolder(systemFiles, next);
  }
  await rm(next, { recursive: true, force: true });
  await syncFolder(systemFiles, data);
}

/** What is in a data folder of an older format, as it is. */
export async function olderRecords(data: string): Promise<FolderRecords> {
  const present = folderRecords(data);
  // Of format 2 only names are others, and records say themselves what they are.
  if ((await readDataFormat(data)) !== oldestFormat) return present;
  return { ...present, readers: (now) => readFormat1(data, now) };
}

async function writeAnew(next: string, readers: readonly RecordReader[]): Promise<void> {
  // One without records takes the place of what lies there, too.
  for (const name of dataFolders) await ensureFolder(systemFiles, join(next, name));
  for (const { kind, write } of await folderRecords(next).writers()) {
    for (const { read } of readers.filter((reader) => reader.kind === kind)) await write(read());
  }
  await syncFolder(systemFiles, next);
}

/** Sets damaged bytes aside, once each, where the rest makes sense without them. */
function createDamageHandler(data: string, log: Logger | undefined): OldDamage {
  const reported = new Set<string>();
  return async ({ message }, path, bytes) => {
    if (cannotBeMissed.has(relative(data, path).split('.', 1)[0] ?? '')) {
      throw new AppError('data_damaged', message, {
        hint: 'Put this file back from a backup. Where there is none, make a copy of the folder and take the damaged part out of the file: what it said is lost, and nothing else.',
      });
    }
    if (reported.has(message)) return;
    reported.add(message);
    const kept = await setAside(systemFiles, data, path, bytes);
    log?.error({ file: path, kept }, `Damaged, and set aside: ${message}`);
  };
}

/** What was lost of these must not go unnoticed: files of format 1, without what follows the first dot. */
const cannotBeMissed: ReadonlySet<string> = new Set([
  'site',
  ...['users', 'chats', 'members', 'revoked-tokens'].map((name) => join('messaging', name)),
]);
