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
  /** The other name of the record, if the fault is that it is missing. */
  readonly missing?: string;
}

/**
 * Checks and repairs a feature's record folders: the path of each below the data folder, and the plan of its
 * records.
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

  // One check may miss a file that is being moved; two in a row hardly can.
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

/** A new record gets its second name first, so a crash may have prevented its first name. */
const unlisted = {
  severity: 'note',
  message:
    'The other name of this record is missing: the record is found by its ID, but not listed.',
  advice: 'Nothing to do after a crash; msgsite data check --repair restores the name.',
} as const;

const torn = {
  severity: 'note',
  message: 'The last line is torn: a crash cut it off before it was acknowledged.',
  advice: 'Nothing to do: the next change of the record removes it.',
} as const;
