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
import { inUse, isOver, lockDataFolder, readDataLock } from '../storage/json/ownership/lease.js';
import { type Owner, readOwner } from '../storage/json/ownership/ownership.js';
import { assertUnmarked, type TransferMark } from '../storage/transfer-mark.js';

interface Rule {
  /** Whether the folder and the mark of its format are made where there are none. */
  readonly creates: boolean;
  /** Marks that do not stand in the way. */
  readonly passes: readonly TransferMark['state'][];
  /** Takes the folder for itself, or works beside a server and refuses one that is being transferred. */
  readonly lock: 'take' | 'share' | 'ignore';
  /** Whether commands that share the folder must have ended. */
  readonly alone?: true;
  /** A mark that is damaged counts as if it were not there. */
  readonly bearsDamage?: true;
}

const rules = {
  serve: { creates: true, passes: [], lock: 'take' },
  share: { creates: true, passes: [], lock: 'share' },
  read: { creates: false, passes: [], lock: 'share' },
  // What a server holds in memory is changed by nobody beside it.
  manage: { creates: false, passes: [], lock: 'take' },
  check: { creates: false, passes: ['moved'], lock: 'share', bearsDamage: true },
  repair: { creates: false, passes: ['moved'], lock: 'take', alone: true, bearsDamage: true },
  export: { creates: false, passes: ['moved'], lock: 'take', alone: true },
  import: { creates: true, passes: ['importing'], lock: 'take', alone: true },
  // What lies in a folder although the data is in a database: secrets and the sandbox's state.
  beside: { creates: true, passes: ['importing', 'moved'], lock: 'ignore' },
  'read beside': { creates: false, passes: ['importing', 'moved'], lock: 'ignore' },
} as const satisfies Readonly<Record<string, Rule>>;

/** Where these find nothing, a folder was meant that is elsewhere. */
const needData: ReadonlySet<string> = new Set<keyof typeof rules>([
  'manage',
  'check',
  'repair',
  'export',
]);

/** What a data folder is opened for; who only reads, checks or exports leaves nothing new in it. */
export type FolderPurpose = keyof typeof rules;

/** Who opens a storage. */
export interface Opener {
  readonly clock: Clock;
  /** The command, for people who find the storage in use: `serve`, `data move`. */
  readonly label: string;
  /** Called if another process has taken the folder from this one: nothing may be written any more. */
  readonly onLockLost?: (() => void) | undefined;
}

/** A data folder that may be used for a purpose. */
export interface DataFolder {
  /** Whether there was nothing in it. */
  readonly isNew: boolean;
  readonly mark: TransferMark | undefined;
  /** Lets others have it. */
  close(): Promise<void>;
}

/**
 * The one way into a data folder. Refused in this order, by whichever command, with the same words:
 * one that can be no folder (`configuration`) or cannot be read (`storage_unavailable`), another format
 * (`configuration`), data that was moved or is not all there (`conflict`), one in use (`data_in_use`).
 * A refusal leaves it as it was.
 */
export async function openDataFolder(
  folder: string,
  purpose: FolderPurpose,
  { clock, label, onLockLost: onLost }: Opener,
): Promise<DataFolder> {
  const { creates, passes, lock, alone, bearsDamage }: Rule = rules[purpose];
  const isNew = (await namesIn(folder, creates)).length === 0;
  if (isNew && needData.has(purpose)) throw noData(folder);
  const isMarked = await readable(hasDataFormat(folder), true);
  await readMark();
  const command = `msgsite ${label}`;
  const held =
    lock === 'take' ? await lockDataFolder({ folder, command, clock, onLost }) : undefined;
  const close = async () => held?.release();

  function readable<T>(reading: Promise<T>, otherwise: T): Promise<T> {
    return reading.catch((error) => {
      if (bearsDamage) asDamage(error);
      else throw error;
      return otherwise;
    });
  }

  async function readMark(): Promise<TransferMark | undefined> {
    const mark = await readable(readFolderMark(folder), undefined);
    if (mark && !passes.includes(mark.state)) assertUnmarked(mark, markedFolder(folder));
    return mark;
  }

  try {
    if (lock === 'share') await assertNotTransferred(folder);
    // It may have been marked until it was ours.
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

/** What commands that have a whole data folder to themselves call themselves in its lock. */
const transferring = 'msgsite data ';

async function assertNotTransferred(folder: string): Promise<void> {
  const holder = await readDataLock(folder);
  if (!holder?.label.startsWith(transferring)) return;
  throw inUse(folder, holder, 'Wait until that process has ended, or stop it.');
}

/** A server or a command that works on a data folder just now. */
export async function workerOn(folder: string, now: number): Promise<Owner | undefined> {
  return (await readDataLock(folder)) ?? commandOn(folder, now);
}

/** Where commands that share a data folder with a server say who they are. */
const ownerFolders = ['state', 'orders', 'payments', 'webhooks', 'audit'].map((name) =>
  join(name, 'owners'),
);

async function commandOn(data: string, now: number): Promise<Owner | undefined> {
  for (const folder of ownerFolders.map((each) => join(data, each))) {
    for (const name of await listFolder(systemFiles, folder)) {
      const owner = name.endsWith('.json') && (await readOwner(systemFiles, join(folder, name)));
      if (owner && !(await isOver(owner, 'unseen', now))) return owner;
    }
  }
  return undefined;
}

function noData(folder: string): AppError {
  return new AppError('unreadable_input', `There is no data in ${folder}.`, {
    hint: 'Name the data folder with --data or MSGSITE_DATA.',
  });
}

/** What the sandbox provider keeps: in files of the data folder, whichever storage the rest is in. */
export async function openSandbox(
  { data, database }: Pick<Config, 'data' | 'database'>,
  opener: Opener & { readonly log?: Logger },
): Promise<SandboxStore> {
  await openDataFolder(data, database === undefined ? 'share' : 'beside', opener);
  return openSandboxStore(join(data, 'sandbox'), opener.clock, undefined, (err) =>
    opener.log?.error({ err }, 'A record of the sandbox cannot be read.'),
  );
}
