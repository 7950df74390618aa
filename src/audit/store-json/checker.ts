import { join } from 'node:path';
import type { Entry } from '#validators/audit';
import { ensureFolder, removeFolder, syncFolder } from '../../base/files/durable-write.js';
import { systemFiles as files } from '../../base/files/file-layer.js';
import { storageError } from '../../base/files/storage-errors.js';
import {
  type DataChecker,
  type Finding,
  type Repair,
  type Report,
  repairAdvice,
  setAside,
} from '../../storage/json/check/data-checker.js';
import { findSegments, type LogFiles, readLog } from '../../storage/json/log/log-reader.js';
import { openLane } from './lane.js';
import {
  type AuditFiles,
  checkClosed,
  entriesTo,
  findLanes,
  laneLog,
  readLaneState,
} from './lane-files.js';

const ignore = () => {};

/** Checks and repairs the lanes of the audit log. */
export const auditChecker: DataChecker = {
  name: 'audit',
  async check(data, report) {
    const audit = { folder: join(data, 'audit'), files };
    for (const lane of await findLanes(audit)) {
      const log = laneLog(audit, lane);
      await readLog(log, entriesTo(ignore, report), report);
      await checkClosed(log, report);
    }
  },
  async repair(data, repair) {
    const audit = { folder: join(data, 'audit'), files };
    for (const lane of await findLanes(audit)) {
      const log = laneLog(audit, lane);
      if (await setDamageAside(data, log, repair)) await replaceLane(audit, log);
    }
  },
};

/** Sets the damaged lines of a lane aside. Returns whether there are any. */
async function setDamageAside(data: string, log: LogFiles, { tell }: Repair): Promise<boolean> {
  const faults: { readonly finding: Finding; readonly bytes: Buffer | undefined }[] = [];
  const report: Report = (finding, bytes) => {
    // Other faults are repaired automatically at the next start.
    if (finding.advice === repairAdvice) faults.push({ finding, bytes });
  };
  await readLog(log, entriesTo(ignore, report), report);
  for (const { finding, bytes } of faults) {
    const { message, advice: _, severity: __, ...place } = finding;
    const kept = bytes && (await setAside(files, data, place.file, bytes));
    const done = kept ? `It was set aside as ${kept}.` : 'The missing part is lost.';
    tell({ ...place, message: `${message} ${done}` });
  }
  return faults.length > 0;
}

/**
 * Writes the undamaged lines and the pending actions of a lane to a new lane, and removes the old one. May be repeated
 * after an interruption, because readers skip lines that are in both lanes.
 */
async function replaceLane(audit: AuditFiles, old: LogFiles): Promise<void> {
  const log = { ...old, folder: join(audit.folder, 'repaired') };
  await removeFolder(files, log.folder);
  await ensureFolder(files, log.folder);
  const lane = await openLane({ log, report: ignore, onBackgroundFailure: ignore });
  const { first, last, has, read } = await findSegments(old, ignore);
  for (let number = first; number <= last; number += 1) {
    const entries: Entry[] = has(number) ? [] : [{ lost: true }];
    const keep = (entry: Entry) => {
      if ('line' in entry) entries.push({ line: entry.line });
      else if ('lost' in entry) entries.push(entry);
    };
    const lose: Report = ({ severity, line }) => {
      if (severity === 'error' && line !== 1) entries.push({ lost: true });
    };
    if (has(number)) await read(number, entriesTo(keep, lose), lose);
    await Promise.all(entries.map(lane.append));
  }
  const { open } = await readLaneState(old, ignore);
  for (const begun of open.values()) await lane.append({ begun });
  await lane.close();
  const number = Math.max(...(await findLanes(audit))) + 1;
  const { folder } = laneLog(audit, number);
  try {
    await files.rename(log.folder, folder);
  } catch (cause) {
    throw storageError(cause, folder);
  }
  await syncFolder(files, audit.folder);
  await removeFolder(files, old.folder);
  await syncFolder(files, audit.folder);
}
