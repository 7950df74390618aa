import { join } from 'node:path';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import { ensureFolder, listFolder } from '../base/files/durable-write.js';
import { systemFiles } from '../base/files/file-layer.js';
import { folderError } from '../base/files/storage-errors.js';
import type { Logger } from '../base/log.js';
import type { Config } from '../config/config.js';
import {
  openSandboxStore,
  type SandboxStore,
} from '../payments/providers/sandbox/store-json/open.js';
import { asDamage } from '../storage/json/check/data-checker.js';
import {
  hasDataFormat,
  markedFolder,
  readFolderMark,
  writeDataFormat,
} from '../storage/json/data-folder/data-folder.js';
import { hasEnded, inUse, lockDataFolder, readDataLock } from '../storage/json/ownership/lease.js';
import { type Owner, readOwner } from '../storage/json/ownership/ownership.js';
import { assertUnmarked, type TransferMark } from '../storage/transfer-mark.js';

interface Rule {
  /** True to create a missing folder and its format file. */
  readonly creates: boolean;
  /** States of a transfer mark with which the folder may be opened. */
  readonly allowedMarks: readonly TransferMark['state'][];
  /** `take` takes the lock. `share` allows a running server but rejects a folder that is being transferred. */
  readonly lock: 'take' | 'share' | 'ignore';
  /** True if no command may use the folder at the same time, except when an import is resumed. */
  readonly alone?: true;
  /** True to treat a damaged mark as missing. */
  readonly toleratesDamage?: true;
}

const rules = {
  serve: { creates: true, allowedMarks: [], lock: 'take' },
  share: { creates: true, allowedMarks: [], lock: 'share' },
  read: { creates: false, allowedMarks: [], lock: 'share' },
  // No other process may change data that a server has in memory.
  manage: { creates: false, allowedMarks: [], lock: 'take' },
  check: { creates: false, allowedMarks: ['moved'], lock: 'share', toleratesDamage: true },
  repair: {
    creates: false,
    allowedMarks: ['moved'],
    lock: 'take',
    alone: true,
    toleratesDamage: true,
  },
  export: { creates: false, allowedMarks: ['moved'], lock: 'take', alone: true },
  import: { creates: true, allowedMarks: ['importing'], lock: 'take', alone: true },
  // Secrets and the sandbox's state are in a folder even if the data is in a database.
  alongside: { creates: true, allowedMarks: ['importing', 'moved'], lock: 'ignore' },
  'read alongside': { creates: false, allowedMarks: ['importing', 'moved'], lock: 'ignore' },
} as const satisfies Readonly<Record<string, Rule>>;

/** Purposes for which an empty folder is an error, because the data must be in a different one. */
const needData: ReadonlySet<string> = new Set<keyof typeof rules>([
  'manage',
  'check',
  'repair',
  'export',
]);

/** The purpose of opening a data folder. Reading, checking and exporting create nothing in it. */
export type FolderPurpose = keyof typeof rules;

/** The command that opens a storage. */
export interface Opener {
  readonly clock: Clock;
  /** The command's name, for messages to others that find the storage in use: `serve`, `data move`. */
  readonly label: string;
  /** Called if another process has taken over the folder. This process must then stop writing. */
  readonly onLockLost?: (() => void) | undefined;
}

/** An open data folder. */
export interface DataFolder {
  /** True if the folder was empty. */
  readonly isNew: boolean;
  readonly mark: TransferMark | undefined;
  /** Releases the folder for other processes. */
  close(): Promise<void>;
}

/**
 * Opens a data folder. For every command, it makes the same checks in this order and throws if the path cannot be a
 * folder (`configuration`), the folder cannot be read (`storage_unavailable`), its format is different
 * (`configuration`), its data was moved or is incomplete (`conflict`), or it is in use (`data_in_use`). If it throws,
 * nothing has been changed.
 */
export async function openDataFolder(
  folder: string,
  purpose: FolderPurpose,
  { clock, label, onLockLost: onLost }: Opener,
): Promise<DataFolder> {
  const { creates, allowedMarks, lock, alone, toleratesDamage }: Rule = rules[purpose];
  const isNew = (await namesIn(folder, creates)).length === 0;
  if (isNew && needData.has(purpose)) throw noData(folder);
  const isMarked = await readable(hasDataFormat(folder), true);
  await readMark();
  const command = `msgsite ${label}`;
  const lease =
    lock === 'take' ? await lockDataFolder({ folder, command, clock, onLost }) : undefined;
  const close = async () => lease?.release();

  function readable<T>(reading: Promise<T>, otherwise: T): Promise<T> {
    return reading.catch((error) => {
      if (toleratesDamage) asDamage(error);
      else throw error;
      return otherwise;
    });
  }

  async function readMark(): Promise<TransferMark | undefined> {
    const mark = await readable(readFolderMark(folder), undefined);
    if (mark && !allowedMarks.includes(mark.state)) assertUnmarked(mark, markedFolder(folder));
    return mark;
  }

  try {
    if (lock === 'share') await assertNotTransferred(folder);
    // The folder may have been marked before this process acquired the lock.
    const mark = await readMark();
    const isAlone = alone && mark?.state !== 'importing';
    const worker = isAlone && (await commandOn(folder, clock.now()));
    if (worker) throw inUse(folder, worker, 'Wait until that command has ended, or stop it.');
    if (creates && !isMarked) await writeDataFormat(folder);
    return { isNew, mark, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function namesIn(folder: string, creates: boolean): Promise<readonly string[]> {
  try {
    const names = await listFolder(systemFiles, folder);
    if (creates) await ensureFolder(systemFiles, folder);
    return names;
  } catch (cause) {
    throw folderError(cause, folder);
  }
}

/** Prefix of the labels of commands that lock a whole data folder. */
const transferring = 'msgsite data ';

async function assertNotTransferred(folder: string): Promise<void> {
  const holder = await readDataLock(folder);
  if (!holder?.label.startsWith(transferring)) return;
  throw inUse(folder, holder, 'Wait until that process has ended, or stop it.');
}

/** Returns a server or a command that is using a data folder, or undefined. */
export async function workerOn(folder: string, now: number): Promise<Owner | undefined> {
  return (await readDataLock(folder)) ?? commandOn(folder, now);
}

/** Folders in which commands that share a data folder with a server register. */
const ownerFolders = ['state', 'orders', 'payments', 'webhooks', 'audit'].map((name) =>
  join(name, 'owners'),
);

async function commandOn(data: string, now: number): Promise<Owner | undefined> {
  for (const folder of ownerFolders.map((each) => join(data, each))) {
    for (const name of await listFolder(systemFiles, folder)) {
      const owner = name.endsWith('.json') && (await readOwner(systemFiles, join(folder, name)));
      if (owner && !(await hasEnded(owner, 'unseen', now))) return owner;
    }
  }
  return undefined;
}

function noData(folder: string): AppError {
  return new AppError('unreadable_input', `There is no data in ${folder}.`, {
    hint: 'Set the data folder with --data or MSGSITE_DATA.',
  });
}

/** Opens the state of the sandbox provider, which is always stored in files in the data folder. */
export async function openSandbox(
  { data, database }: Pick<Config, 'data' | 'database'>,
  opener: Opener & { readonly log?: Logger },
): Promise<SandboxStore> {
  await openDataFolder(data, database === undefined ? 'share' : 'alongside', opener);
  return openSandboxStore(join(data, 'sandbox'), opener.clock, undefined, (err) =>
    opener.log?.error({ err }, 'A sandbox record cannot be read.'),
  );
}
