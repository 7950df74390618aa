import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { AppError } from '../../../base/errors.js';
import { startEvery } from '../../../base/every.js';
import {
  createDurableFolders,
  linkNew,
  replaceFile,
  temporaryPath,
  withFile,
  writeAll,
} from '../../../base/files/durable-write.js';
import { ignoreMissing, isMissing, storageError } from '../../../base/files/storage-errors.js';
import { renewEvery } from '../../lease-times.js';
import { asDamage } from '../check/data-checker.js';
import { type ClaimFolderOptions, createClaimFolders } from './claim-folders.js';
import { changeLine, maxLines, type RecordPlan, wholeText } from './record-file.js';
import type { FoundRecord, RecordPlace, RecordReader } from './record-reader.js';

/** The exclusive right of one caller, among all processes, to change a record. */
export interface RecordClaim<T> {
  /** The path of its file. */
  readonly path: string;
  /** The record as it is stored now. */
  readonly record: T;
  /** Stores a change and keeps the claim. Rejects with `conflict` if the claim was lost. */
  update(record: T): Promise<void>;
  /**
   * Stores a change, moves the record to the folder of its state and releases the claim. May be called again after a
   * failure.
   */
  settle(record: T): Promise<void>;
  /** Releases the claim and leaves the record unchanged. Has no effect on a released claim. */
  release(): Promise<void>;
  /** Removes the record. */
  remove(): Promise<void>;
  /** Renews the lease of this process. Returns false if the claim was lost. */
  renew(): Promise<boolean>;
}

interface RecordClaimOptions<T extends object, State extends string> extends ClaimFolderOptions {
  readonly plan: RecordPlan<T, State>;
  readonly reader: RecordReader<T, State>;
  readonly temporaryFolder: string;
  /** Syncs the names in a folder to disk. */
  sync(folder: string): Promise<void>;
}

/** Manages this process's claims on the records of a folder. */
export function createRecordClaims<T extends object, State extends string>(
  options: RecordClaimOptions<T, State>,
) {
  const { files, folder, clock, plan, reader, temporaryFolder, sync } = options;
  const claimFolders = createClaimFolders(options);
  const folders = createDurableFolders(files);
  /** Paths of the records that this process has claimed. */
  const active = new Set<string>();
  let renewing: ReturnType<typeof startEvery> | undefined;
  /** Folders with names that are not on disk yet. */
  const unsynced = new Set<string>();

  /** Marks a path as claimed. The claims of this process are renewed while it has any. */
  function markClaimed(path: string): void {
    active.add(path);
    // A failed renewal does not mean that the claims are lost.
    const settings = { clock, sleepFirst: true, onError() {} };
    renewing ??= startEvery(renewEvery, claimFolders.own, settings);
  }

  /** Marks a path as no longer claimed. Has no effect if it is not claimed. */
  function markReleased(path: string): void {
    active.delete(path);
    if (active.size === 0) stopRenewing();
  }

  /** Stops renewing without waiting for a renewal in progress. */
  function stopRenewing(): void {
    void renewing?.stop();
    renewing = undefined;
  }

  /** Adds the second name of a file, if its state has second names, before the file is moved to its folder. */
  async function addSecondName(path: string, { id, record }: FoundRecord<T, State>): Promise<void> {
    const second = reader.secondPath(id, plan.placeOf(record).state);
    if (second === undefined) return;
    if (!(await linkNew(files, path, second))) {
      // The name may belong to a file that has been rewritten or copied since.
      const beside = temporaryPath(path, temporaryFolder);
      await files.link(path, beside);
      await files.rename(beside, second);
      // If both names already belonged to the same file, the rename had no effect.
      await files.unlink(beside).catch(ignoreMissing);
    }
    await sync(dirname(second));
  }

  function claimOf(first: FoundRecord<T, State>, from: string): RecordClaim<T> {
    const { path, id } = first;
    let found = first;
    let isNew = false;

    async function write(record: T): Promise<void> {
      // A repeated call whose first step has succeeded does not write again.
      if (record === found.record) return;
      const { end, lines } = found;
      const isErased = plan.erases?.(found.record, record) ?? false;
      // After a failed write, the next change rewrites the file.
      found = { ...found, end: null };
      if (end === null || isErased) {
        if (!existsSync(path)) throw lostClaim(id);
        const length = await rewrite(path, id, record);
        isNew = true;
        found = { ...found, record, lines: 1, end: length };
        return;
      }
      const line = Buffer.from(changeLine(found.record, record, plan.changes));
      await addLine(line, end, !plan.mayBeLost?.(record));
      const next = lines + 1 < maxLines ? end + line.length : null;
      found = { ...found, record, lines: lines + 1, end: next };
    }

    function addLine(line: Buffer, end: number, lasting: boolean): Promise<void> {
      return withFile(files, path, 'r+', async (file) => {
        // Otherwise a power cut could lose the previous line but not this one.
        if (plan.mayBeLost?.(found.record)) await file.datasync();
        await writeAll(file, line, end);
        if (lasting) await file.datasync();
      });
    }

    async function putBack(lasting: boolean): Promise<void> {
      if (!active.has(path)) return;
      const place = reader.folderFor(found.record);
      await addSecondName(path, found);
      await folders.within(place, () => files.rename(path, join(place, basename(path))));
      markReleased(path);
      if (place === from && !isNew) return;
      if (!lasting) {
        unsynced.add(place);
        return;
      }
      await sync(place);
      if (place !== from) await sync(from);
    }

    const attempt = async (work: () => Promise<void>) => {
      try {
        // After a suspension, the claims must be renewed first.
        await claimFolders.own().catch(() => {});
        await work();
      } catch (cause) {
        if (!isMissing(cause) || existsSync(path)) throw storageError(cause, path);
        markReleased(path);
        throw lostClaim(id);
      }
    };

    return {
      path,
      get record() {
        return found.record;
      },
      update: (record) => attempt(() => write(record)),
      settle: (record) =>
        attempt(async () => {
          await write(record);
          await putBack(!plan.mayBeLost?.(record));
        }),
      release: () => attempt(() => putBack(true)).catch(ignoreLost),
      remove: () =>
        attempt(async () => {
          const second = reader.secondPath(id, plan.placeOf(found.record).state);
          if (second) {
            await files.unlink(second).catch(ignoreMissing);
            await sync(dirname(second));
          }
          await files.unlink(path);
          markReleased(path);
          await Promise.all([sync(from), sync(dirname(path))]);
        }),
      async renew() {
        await claimFolders.own();
        return active.has(path) && existsSync(path);
      },
    };
  }

  /**
   * Moves every record in an abandoned claim folder to the folder of its state. If the folder's process may be alive,
   * copies the records instead, so that the files that it has open are no longer in use.
   */
  async function free(claimFolder: string, mayWrite = false): Promise<void> {
    const place = { path: claimFolder, state: undefined };
    for (const name of await reader.namesIn(place)) {
      const path = join(claimFolder, name);
      if (active.has(path)) continue;
      markClaimed(path);
      await freeOne(path, mayWrite).finally(() => markReleased(path));
    }
  }

  async function freeOne(path: string, mayWrite: boolean): Promise<void> {
    const found = await reader
      .readAt({ path, state: undefined })
      .catch((error) => void asDamage(error));
    // A damaged record is moved to a folder where readers find it.
    const place = found ? reader.folderFor(found.record) : join(folder, reader.states[0] ?? '');
    const target = join(place, basename(path));
    try {
      if (found) {
        // The process may have died before syncing, and other processes rely on the record from now on.
        if (!mayWrite) await withFile(files, path, 'r+', (file) => file.datasync());
        else await rewrite(path, found.id, found.record);
        await addSecondName(path, found);
      }
      // A power cut can preserve the old name of a rewritten file. This file is then outdated.
      if (existsSync(target)) await files.unlink(path);
      else await folders.within(place, () => files.rename(path, target));
    } catch (cause) {
      if (!isMissing(cause)) throw storageError(cause, path);
    }
    await sync(place);
  }

  /** Replaces a file with a new one that contains a record. Returns its length in bytes. */
  async function rewrite(path: string, id: string, record: T): Promise<number> {
    const text = wholeText(id, record);
    await replaceFile(path, text, { files, temporaryFolder, sync: async () => {} });
    return Buffer.byteLength(text);
  }

  return {
    inFolder: folders.within,
    /** Returns this process's claim folder, if there is one. */
    ownFolder: claimFolders.current,
    /** Claims a file in the folder of a state. Returns undefined if the file is no longer there. */
    async take({ path: from, state }: RecordPlace<State>): Promise<RecordClaim<T> | undefined> {
      const path = join(await claimFolders.own(), basename(from));
      if (active.has(path)) return undefined;
      markClaimed(path);
      try {
        await files.rename(from, path);
      } catch (cause) {
        markReleased(path);
        if (isMissing(cause)) return undefined;
        throw storageError(cause, path);
      }
      try {
        const found = await reader.readAt({ path, state });
        if (found) return claimOf(found, dirname(from));
        markReleased(path);
        return undefined;
      } catch (error) {
        await files.rename(path, from).catch(ignoreMissing);
        markReleased(path);
        // Reports damage with the path that the file has now.
        await reader.readAt({ path: from, state });
        throw error;
      }
    },
    /** Moves the records of dead processes to their folders, and those that this process failed to move. */
    async freeAbandoned(): Promise<void> {
      for (const { path, mayWrite, isRemovable } of await claimFolders.abandoned()) {
        await free(path, mayWrite);
        if (isRemovable) await claimFolders.remove(path);
      }
      const own = claimFolders.current();
      if (own) await free(own);
    },
    /** Releases all claims of this process. */
    async close(): Promise<void> {
      stopRenewing();
      const own = claimFolders.current();
      if (!own) return;
      active.clear();
      await free(own);
      // Otherwise a power cut could undo moves out of this folder after the folder was removed.
      await Promise.all([...unsynced].map((each) => sync(each)));
      unsynced.clear();
      await claimFolders.remove(own);
    },
  };
}

function lostClaim(id: string): AppError {
  return new AppError('conflict', `The record ${id} was taken over by another process.`);
}

/** A lost claim does not need to be released. */
function ignoreLost(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
}
