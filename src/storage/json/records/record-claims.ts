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
import { changeLine, mostLines, type RecordPlan, wholeText } from './record-file.js';
import type { FoundRecord, RecordPlace, RecordReader } from './record-reader.js';

/** The right to act on a record; whoever has it is alone with it, in this and every other process. */
export interface RecordClaim<T> {
  /** The path of its file. */
  readonly path: string;
  /** The record as it is stored now. */
  readonly record: T;
  /** Stores a change and keeps the claim. `conflict` where it was lost. */
  update(record: T): Promise<void>;
  /**
   * Stores what became of the record, puts it where it belongs now and gives the claim up. May be
   * repeated where it failed.
   */
  settle(record: T): Promise<void>;
  /** Gives the claim up and leaves the record as it was; harmless where it is given up already. */
  release(): Promise<void>;
  /** Removes the record. */
  remove(): Promise<void>;
  /** False where the claim was lost. Says so that this process lives. */
  renew(): Promise<boolean>;
}

interface RecordClaimOptions<T extends object, State extends string> extends ClaimFolderOptions {
  readonly plan: RecordPlan<T, State>;
  readonly reader: RecordReader<T, State>;
  readonly temporaryFolder: string;
  /** Makes the names in a folder durable. */
  sync(folder: string): Promise<void>;
}

/** Claims on the records of a folder, and giving them up. */
export function createRecordClaims<T extends object, State extends string>(
  options: RecordClaimOptions<T, State>,
) {
  const { files, folder, clock, plan, reader, temporaryFolder, sync } = options;
  const claimFolders = createClaimFolders(options);
  const folders = createDurableFolders(files);
  /** Paths of what is claimed here and not given up. */
  const active = new Set<string>();
  let renewing: ReturnType<typeof startEvery> | undefined;
  /** Folders with names that are not durable yet. */
  const unsynced = new Set<string>();

  /** Marks a path as claimed. The claims of this process are renewed while it has any. */
  function hold(path: string): void {
    active.add(path);
    // A failed renewal does not mean that the claims are lost.
    const settings = { clock, sleepFirst: true, onError() {} };
    renewing ??= startEvery(renewEvery, claimFolders.own, settings);
  }

  /** Marks a path as no longer claimed; harmless if it is not claimed. */
  function letGo(path: string): void {
    active.delete(path);
    if (active.size === 0) stopRenewing();
  }

  /** Stops renewing without waiting for a renewal that is under way. */
  function stopRenewing(): void {
    void renewing?.stop();
    renewing = undefined;
  }

  /** Gives a file its second name, where its state has those, before it comes to its place. */
  async function nameSecond(path: string, { id, record }: FoundRecord<T, State>): Promise<void> {
    const second = reader.secondPath(id, plan.placeOf(record).state);
    if (second === undefined) return;
    if (!(await linkNew(files, path, second))) {
      // It may be a name of a file that has been rewritten or copied since then.
      const beside = temporaryPath(path, temporaryFolder);
      await files.link(path, beside);
      await files.rename(beside, second);
      // Renaming a file to another name of its own does nothing at all.
      await files.unlink(beside).catch(ignoreMissing);
    }
    await sync(dirname(second));
  }

  function claimOf(first: FoundRecord<T, State>, from: string): RecordClaim<T> {
    const { path, id } = first;
    let found = first;
    let isNew = false;

    async function write(record: T): Promise<void> {
      // Asked again because the second step failed, the first is not repeated.
      if (record === found.record) return;
      const { end, lines } = found;
      // What a failed write leaves behind has to go.
      found = { ...found, end: null };
      if (end === null) {
        if (!existsSync(path)) throw lostClaim(id);
        const length = await rewrite(path, id, record);
        isNew = true;
        found = { ...found, record, lines: 1, end: length };
        return;
      }
      const line = Buffer.from(changeLine(found.record, record, plan.changes));
      await addLine(line, end, !plan.mayBeLost?.(record));
      const next = lines + 1 < mostLines ? end + line.length : null;
      found = { ...found, record, lines: lines + 1, end: next };
    }

    function addLine(line: Buffer, end: number, lasting: boolean): Promise<void> {
      return withFile(files, path, 'r+', async (file) => {
        // Behind what may not be on disk yet, this line could survive a power cut alone.
        if (plan.mayBeLost?.(found.record)) await file.datasync();
        await writeAll(file, line, end);
        if (lasting) await file.datasync();
      });
    }

    async function putBack(lasting: boolean): Promise<void> {
      if (!active.has(path)) return;
      const place = reader.folderFor(found.record);
      await nameSecond(path, found);
      await folders.within(place, () => files.rename(path, join(place, basename(path))));
      letGo(path);
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
        // A process that was suspended first renews its claims.
        await claimFolders.own().catch(() => {});
        await work();
      } catch (cause) {
        if (!isMissing(cause) || existsSync(path)) throw storageError(cause, path);
        letGo(path);
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
          letGo(path);
          await Promise.all([sync(from), sync(dirname(path))]);
        }),
      async renew() {
        await claimFolders.own();
        return active.has(path) && existsSync(path);
      },
    };
  }

  /**
   * Moves everything in a claim folder that no process works on to its place. If the folder's process may be alive,
   * copies the records instead, so that the files that the process has open are no longer those of records.
   */
  async function free(claimFolder: string, mayWrite = false): Promise<void> {
    const place = { path: claimFolder, state: undefined };
    for (const name of await reader.namesIn(place)) {
      const path = join(claimFolder, name);
      if (active.has(path)) continue;
      hold(path);
      await freeOne(path, mayWrite).finally(() => letGo(path));
    }
  }

  async function freeOne(path: string, mayWrite: boolean): Promise<void> {
    const found = await reader
      .readAt({ path, state: undefined })
      .catch((error) => void asDamage(error));
    // A damaged record goes where it is met again.
    const place = found ? reader.folderFor(found.record) : join(folder, reader.states[0] ?? '');
    const target = join(place, basename(path));
    try {
      if (found) {
        // Its process may have ended between writing and syncing; others rely on it from here on.
        if (!mayWrite) await withFile(files, path, 'r+', (file) => file.datasync());
        else await rewrite(path, found.id, found.record);
        await nameSecond(path, found);
      }
      // A power cut can keep the old name of a file that was written anew: then this one is out of date.
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
    /** The folder of what is claimed here, where there is one. */
    ownFolder: claimFolders.current,
    /** Claims a file that lies in the folder of a state; undefined where it is no longer there. */
    async take({ path: from, state }: RecordPlace<State>): Promise<RecordClaim<T> | undefined> {
      const path = join(await claimFolders.own(), basename(from));
      if (active.has(path)) return undefined;
      hold(path);
      try {
        await files.rename(from, path);
      } catch (cause) {
        letGo(path);
        if (isMissing(cause)) return undefined;
        throw storageError(cause, path);
      }
      try {
        const found = await reader.readAt({ path, state });
        if (found) return claimOf(found, dirname(from));
        letGo(path);
        return undefined;
      } catch (error) {
        await files.rename(path, from).catch(ignoreMissing);
        letGo(path);
        // Of damage, say where it is now.
        await reader.readAt({ path: from, state });
        throw error;
      }
    },
    /** Puts back what processes that died had claimed, and what could not be put back here. */
    async freeAbandoned(): Promise<void> {
      for (const { path, mayWrite, isOver } of await claimFolders.abandoned()) {
        await free(path, mayWrite);
        if (isOver) await claimFolders.remove(path);
      }
      const own = claimFolders.current();
      if (own) await free(own);
    },
    /** Gives back everything claimed here. */
    async close(): Promise<void> {
      stopRenewing();
      const own = claimFolders.current();
      if (!own) return;
      active.clear();
      await free(own);
      // Else a power cut could take this folder away and with it files that had left it.
      await Promise.all([...unsynced].map((each) => sync(each)));
      unsynced.clear();
      await claimFolders.remove(own);
    },
  };
}

function lostClaim(id: string): AppError {
  return new AppError('conflict', `The record ${id} was taken over by another process.`);
}

/** A claim that was lost needs no giving up. */
function ignoreLost(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
}
