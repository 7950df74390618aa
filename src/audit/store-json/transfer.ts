import { dirname } from 'node:path';
import type { Act, Entry } from '#validators/audit';
import { ensureFolder } from '../../base/files/durable-write.js';
import { systemFiles as files } from '../../base/files/file-layer.js';
import { eachOf, type RecordReader, type RecordWriter } from '../../base/records.js';
import { lazy } from '../../base/single-flight.js';
import { throwDamage } from '../../storage/json/check/data-checker.js';
import { compareActs } from '../records.js';
import { openLane } from './lane.js';
import { findLanes, laneLog, ownerPath, readLaneState } from './lane-files.js';
import { readLanes } from './read-lanes.js';

/**
 * The audit in a folder (`<data>/audit`) that nobody works on; the files stay untouched. In memory are a segment of
 * each lane and what is under way.
 */
export function readJsonAudit(folder: string): readonly RecordReader[] {
  const audit = { folder, files };
  return [
    { kind: 'audit', read: () => readLanes(audit, {}, throwDamage) },
    {
      kind: 'pending-act',
      async *read() {
        const acts = new Map<string, Act>();
        for (const lane of await findLanes(audit)) {
          const { open } = await readLaneState(laneLog(audit, lane), throwDamage);
          for (const [id, act] of open) acts.set(id, act);
        }
        yield* [...acts.values()].sort(compareActs);
      },
    },
  ];
}

/** Lines on their way to the disk at once. */
const concurrency = 256;

/** Fills the folder of the audit, which holds nothing yet: a lane that nobody has. */
export function fillJsonAudit(folder: string): readonly RecordWriter[] {
  const audit = { folder, files };
  const log = laneLog(audit, 1);

  async function write(entries: AsyncIterable<Entry>): Promise<void> {
    let failure: unknown;
    const lane = lazy(async () => {
      await ensureFolder(files, dirname(ownerPath(audit, 1)));
      await ensureFolder(files, log.folder);
      const onBackgroundFailure = (error: unknown) => {
        failure ??= error;
      };
      return openLane({ log, report: throwDamage, onBackgroundFailure });
    });
    try {
      await eachOf(entries, concurrency, async (entry) => {
        await (await lane.get()).append(entry);
      });
    } finally {
      await (await lane.made())?.close();
    }
    if (failure) throw failure;
  }

  return [
    { kind: 'audit', write: (lines) => write(entriesOf(lines, (line) => ({ line }) as Entry)) },
    {
      kind: 'pending-act',
      write: (acts) => write(entriesOf(acts, (begun) => ({ begun }) as Entry)),
    },
  ];
}

/** The kind's check has said that the records are of this kind. */
async function* entriesOf(
  records: AsyncIterable<object>,
  entryOf: (record: object) => Entry,
): AsyncGenerator<Entry> {
  for await (const record of records) yield entryOf(record);
}
