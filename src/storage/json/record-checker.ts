import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureFolder, syncFolder } from '../../base/files/durable-write.js';
import { systemFiles } from '../../base/files/file-layer.js';
import { storageError } from '../../base/files/storage-errors.js';
import {
  type DataChecker,
  type Finding,
  type Repair,
  repairAdvice,
  reportError,
} from './data-checker.js';
import { asDamage, type RecordPlan } from './record-file.js';
import { fileNameOf } from './record-paths.js';
import { createRecordReader } from './record-reader.js';
import { recordPaths } from './record-transfer.js';
import { setFileAside } from './set-aside.js';

/** What is wrong in a record folder. */
interface Fault extends Finding {
  /** The other name of the record, where that is what is wrong: it is missing. */
  readonly missing?: string;
}

/** A kind of record and the folder it is in, below the data folder. */
interface RecordFolderAt {
  readonly path: string;
  faultsIn(folder: string): AsyncIterable<Fault>;
}

export function recordFolderAt<T extends object, State extends string>(
  path: string,
  plan: RecordPlan<T, State>,
): RecordFolderAt {
  return { path, faultsIn: (folder) => faultsIn(folder, plan) };
}

/** Checks and repairs a feature's record folders. */
export function recordsChecker(name: string, parts: readonly RecordFolderAt[]): DataChecker {
  return {
    name,
    async check(data, report) {
      for (const { path, faultsIn } of parts) {
        for await (const { missing: _, ...finding } of faultsIn(join(data, path))) report(finding);
      }
    },
    async repair(data, repair) {
      for (const { path, faultsIn } of parts) {
        const faults = () => faultsIn(join(data, path));
        await setDamagedAside(data, faults(), repair);
        await restoreNames(faults(), repair);
      }
    },
  };
}

async function setDamagedAside(
  data: string,
  faults: AsyncIterable<Fault>,
  { tell }: Repair,
): Promise<void> {
  for await (const { severity, file, line, message, missing } of faults) {
    if (severity !== 'error' || missing !== undefined) continue;
    const kept = await setFileAside(systemFiles, data, file);
    tell({
      file,
      ...(line === undefined ? {} : { line }),
      message: `${message} It was set aside as ${kept}.`,
    });
  }
}

/** Gives records back the name that is missing: what is damaged under the one may be whole under the other. */
async function restoreNames(faults: AsyncIterable<Fault>, { tell }: Repair): Promise<void> {
  for await (const { file, missing } of faults) {
    if (missing === undefined) continue;
    await ensureFolder(systemFiles, dirname(missing));
    try {
      await systemFiles.link(file, missing);
      await syncFolder(systemFiles, dirname(missing));
    } catch (cause) {
      throw storageError(cause, missing);
    }
    tell({
      file: missing,
      message: `This name of a record was missing: it was restored from ${file}.`,
    });
  }
}

/** Reads every file of a record folder; the next start puts `note`s right. */
async function* faultsIn<T extends object, State extends string>(
  folder: string,
  plan: RecordPlan<T, State>,
): AsyncGenerator<Fault> {
  const reader = createRecordReader(folder, plan, systemFiles);
  const { states } = reader;
  const places = [
    ...reader.claimFolders().map((place) => ({ place, state: undefined })),
    ...states.flatMap((state) => reader.foldersOf(state).map((place) => ({ place, state }))),
    // Second names are files of their own in a copy.
    ...states.flatMap((state) => {
      const second = reader.secondPath('any', state);
      return second === undefined ? [] : [{ place: dirname(second), state }];
    }),
  ];

  // A file that moves meanwhile is missed at one look, hardly at two.
  const isLost = (other: string, path: string) =>
    !existsSync(other) && existsSync(path) && !existsSync(other);

  async function isElsewhere(id: string, path: string): Promise<boolean> {
    for await (const place of reader.placesOf(id)) {
      if (place.path !== path && existsSync(place.path)) return true;
    }
    return false;
  }

  async function faultsOf(path: string, state: State | undefined): Promise<Fault[]> {
    const faults: Fault[] = [];
    try {
      const found = await reader.readAt({ path, ...(state ? { state } : {}) });
      if (!found) return [];
      if (found.isTorn) faults.push({ ...torn, file: path });
      const second = reader.secondPath(found.id, found.state);
      const first = join(reader.folderFor(found.record), fileNameOf(found.id));
      if (state === found.state && second && path !== second && isLost(second, path)) {
        faults.push({ ...nameless, file: path, missing: second });
      }
      if (path === second && isLost(first, path) && !(await isElsewhere(found.id, path))) {
        faults.push({ ...nameless, file: path, missing: first });
      }
    } catch (error) {
      reportError(asDamage(error), path, (finding) => faults.push(finding));
    }
    return faults;
  }

  for (const { place, state } of places) {
    for (const { path } of await recordPaths(place)) yield* await faultsOf(path, state);
  }
}

const torn = {
  severity: 'note',
  message: 'The last line is torn: a crash cut it off before it was acknowledged.',
  advice: 'Nothing to do: the next change of the record drops it.',
} as const;

const nameless = {
  severity: 'error',
  message: 'The other name of this record is missing.',
  advice: repairAdvice,
} as const;
