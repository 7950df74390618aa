import { join } from 'node:path';
import type { Clock } from '../../../base/clock.js';
import { AppError } from '../../../base/errors.js';
import { ensureFolder } from '../../../base/files/durable-write.js';
import { systemFiles } from '../../../base/files/file-layer.js';
import { leaseMs, renewEvery } from '../../lease-times.js';
import { takeLease } from './lease.js';
import { endOwnership, type Owner, readOwner } from './ownership.js';
import { livenessOf } from './process-identity.js';

interface DataLockOptions {
  /** The data directory; created where it does not exist. */
  readonly folder: string;
  /** What locks it, for people: `msgsite serve`. */
  readonly command: string;
  readonly clock: Clock;
  /** Called if another process has taken the folder while this one was suspended: nothing may be written any more. */
  onLost?: (() => void) | undefined;
}

const files = systemFiles;
const lockFile = (folder: string) => join(folder, 'serve.lock');
const ends = 'unseen';

/** Milliseconds within which a running process renews its lease. */
const renewed = renewEvery + 1_000;

/**
 * Locks a data folder for one process. Throws `data_in_use`, which names the process that has it. The lock of a dead
 * process is taken over at once; that of a process which is not visible from here, once it has not renewed it for 15
 * seconds, which this waits for.
 */
export async function lockDataFolder({
  folder,
  command,
  clock,
  onLost,
}: DataLockOptions): Promise<{ release(): Promise<void> }> {
  await ensureFolder(files, folder);
  const path = lockFile(folder);
  let seen: Owner | undefined;
  for (let waited = 0; ; ) {
    const lease = await takeLease({
      ...{ files, path, label: command, clock, ends },
      ...(onLost ? { onLost } : {}),
    });
    if (lease) return lease;
    const holder = await readOwner(files, path);
    if (!holder) continue;
    const isRenewed = seen !== undefined && holder.expires !== seen.expires;
    if (isRenewed || (await livenessOf(holder.process)) === 'alive') throw inUse(folder, holder);
    // The clock of another machine may be ahead of this one.
    if (waited >= leaseMs) {
      await endOwnership(files, path, holder.nonce);
      continue;
    }
    seen = holder;
    const left = Math.min(renewed, Math.max(1, holder.expires - clock.now()));
    await clock.sleep(left);
    waited += left;
  }
}

/** Who holds a data directory now, or undefined. A dead holder is none. */
export async function readDataLock(folder: string): Promise<Owner | undefined> {
  const holder = await readOwner(files, lockFile(folder));
  if (!holder || (await livenessOf(holder.process)) === 'dead') return undefined;
  return holder;
}

/** Says by whom a data directory is in use, and what to do. */
export function inUse(
  folder: string,
  { process: holder, label, since }: Owner,
  hint = 'Stop that process, or choose another directory with --data.',
): AppError {
  const place = `process ${holder.pid} on ${holder.host}`;
  return new AppError(
    'data_in_use',
    `The data directory ${folder} is in use by ${label} (${place}, since ${new Date(since).toISOString()}).`,
    { hint },
  );
}
