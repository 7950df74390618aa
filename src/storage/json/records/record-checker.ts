import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureFolder, syncFolder } from '../../../base/files/durable-write.js';
import { systemFiles } from '../../../base/files/file-layer.js';
import { storageError } from '../../../base/files/storage-errors.js';
import {
  type DataChecker,
  type Finding,
  faultAt,
  type Repair,
  reportError,
  setFileAside,
} from '../check/data-checker.js';
import type { RecordPlan } from './record-file.js';
import { fileNameOf } from './record-file.js';
import { createRecordReader, type RecordPlace } from './record-reader.js';

/** A fault in a record folder. */
interface Fault {
  readonly finding: Finding;
  /** The path of the record's other name, if that name is missing. */
  readonly missing?: string;
}

/**
 * Returns a checker of a feature's record folders. `folders` contains the plan of each by its path within the data
 * folder.
 */
export function recordsChecker(
  name: string,
  folders: Readonly<Record<string, RecordPlan<object>>>,
): DataChecker {
  const parts = Object.entries(folders);
  return {
    name,
    async check(data, report) {
      for (const [path, plan] of parts) {
        for await (const { finding } of faultsIn(join(data, path), plan)) report(finding);
      }
    },
    async repair(data, repair) {
      for (const [path, plan] of parts) {
        const faults = () => faultsIn(join(data, path), plan);
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
  for await (const { finding, missing } of faults) {
    const { severity, advice: _, message, ...place } = finding;
    if (severity !== 'error' || missing !== undefined) continue;
    const kept = await setFileAside(systemFiles, data, place.file);
    tell({ ...place, message: `${message} It was set aside as ${kept}.` });
  }
}

/** Restores missing names of records. A file that is damaged under one name may be intact under the other. */
async function restoreNames(faults: AsyncIterable<Fault>, { tell }: Repair): Promise<void> {
  for await (const { finding, missing } of faults) {
    if (missing === undefined) continue;
    const { file } = finding;
    await ensureFolder(systemFiles, dirname(missing));
    try {
      await systemFiles.link(file, missing);
    } catch (cause) {
      throw storageError(cause, missing);
    }
    await syncFolder(systemFiles, dirname(missing));
    const message = `This name of a record was missing. It was restored from ${file}.`;
    tell({ file: missing, message });
  }
}

/** Reads every file of a record folder and yields its faults. The next start fixes those that are notes. */
async function* faultsIn(folder: string, plan: RecordPlan<object>): AsyncGenerator<Fault> {
  const reader = createRecordReader(folder, plan, systemFiles);
  const places = [
    ...reader.claimFolders(),
    ...reader.states.flatMap(reader.foldersOf),
    // In a copy of the folder, second names are separate files.
    ...reader.secondFolders(),
  ];

  // One check may miss a file that is being moved. Two checks in a row are very unlikely to miss it.
  const isLost = (other: string, path: string) =>
    !existsSync(other) && existsSync(path) && !existsSync(other);

  async function isElsewhere(id: string, path: string): Promise<boolean> {
    for await (const place of reader.placesOf(id)) {
      if (place.path !== path && existsSync(place.path)) return true;
    }
    return false;
  }

  async function faultsOf(place: RecordPlace<string>): Promise<Fault[]> {
    const { path, state } = place;
    const faults: Fault[] = [];
    try {
      const found = await reader.readAt(place);
      if (!found) return [];
      if (found.isTorn) faults.push({ finding: { ...torn, file: path } });
      const nameless = faultAt({ file: path }, 'The other name of this record is missing.');
      const second = reader.secondPath(found.id, found.state);
      const first = join(reader.folderFor(found.record), fileNameOf(found.id));
      if (state === found.state && second && path !== second && isLost(second, path)) {
        faults.push({ finding: nameless, missing: second });
      }
      if (path === second && isLost(first, path) && !(await isElsewhere(found.id, path))) {
        faults.push({ finding: { ...unlisted, file: path }, missing: first });
      }
    } catch (error) {
      reportError(error, path, (finding) => faults.push({ finding }));
    }
    return faults;
  }

  for (const place of places) {
    for (const file of await reader.filesIn([place])) yield* await faultsOf(file);
  }
}

/** The second name of a new record is created first, so a crash may have prevented the first name. */
const unlisted = {
  severity: 'note',
  message:
    'The other name of this record is missing. The record is found by its ID, but it is not listed.',
  advice: 'A crash can cause this. Run msgsite data check --repair to restore the name.',
} as const;

const torn = {
  severity: 'note',
  message: 'The last line is torn: a crash cut it off before it was acknowledged.',
  advice: 'No action is needed. The next change to the record removes the line.',
} as const;
