import { join } from 'node:path';
import type { Clock } from '../../../base/clock.js';
import { AppError } from '../../../base/errors.js';
import { startEvery } from '../../../base/every.js';
import { ensureFolder } from '../../../base/files/durable-write.js';
import { systemFiles } from '../../../base/files/file-layer.js';
import { endOwnership, newOwner, type Owner, readOwner, takeOwnership } from './ownership.js';
import { livenessOf } from './process-identity.js';

interface DataLockOptions {
  /** The data directory; created where it does not exist. */
  readonly folder: string;
  /** What locks it, for people: `msgsite serve`. */
  readonly command: string;
  readonly clock: Clock;
}

/** How often the owner touches its lock file, for those who cannot see its process. */
const heartbeatMs = 2000;

/** An owner elsewhere that does not touch its lock file for this long is gone. */
const silenceMs = 7000;

const files = systemFiles;
const lockFile = (folder: string) => join(folder, 'serve.lock');

/**
 * Locks a data directory for one process. `data_in_use` names the process that has it. The lock of
 * a dead process is taken over at once where that can be seen (in the same container; a recycled process
 * number is told apart by its start time; or the machine was started anew since), else after watching
 * for 7 seconds that nobody touches it.
 */
export async function lockDataFolder(
  options: DataLockOptions,
): Promise<{ release(): Promise<void> }> {
  const { folder, command, clock } = options;
  await ensureFolder(files, folder);
  const path = lockFile(folder);
  const owner = await newOwner(command, clock.now());
  const isStale = async (holder: Owner) => {
    const liveness = await livenessOf(holder.process);
    return liveness === 'unknown' ? isSilent(path, holder, clock) : liveness === 'dead';
  };
  const holder = await takeOwnership({ files, path, owner, isStale });
  if (holder) throw inUse(folder, holder);

  async function touch(): Promise<void> {
    // A disk that cannot be read just now says nothing about whose the lock is.
    const current = await readOwner(files, path).catch(() => owner);
    // This process stood still for long, and another has taken it over.
    if (current?.nonce !== owner.nonce) return;
    const now = new Date(clock.now());
    await files.utimes(path, now, now).catch(() => {});
  }

  const heartbeat = startEvery(heartbeatMs, touch, { clock, sleepFirst: true });
  return {
    async release() {
      await heartbeat.stop();
      await endOwnership(files, path, owner.nonce);
    },
  };
}

/** Who holds a data directory now, or undefined. A dead holder is none. */
export async function readDataLock(folder: string): Promise<Owner | undefined> {
  const holder = await readOwner(files, lockFile(folder));
  if (!holder || (await livenessOf(holder.process)) === 'dead') return undefined;
  return holder;
}

async function isSilent(path: string, holder: Owner, clock: Clock): Promise<boolean> {
  const before = await modified(path);
  await clock.sleep(silenceMs);
  const after = await readOwner(files, path);
  return after?.nonce === holder.nonce && (await modified(path)) === before;
}

async function modified(path: string): Promise<number | undefined> {
  return (await files.stat(path).catch(() => undefined))?.mtimeMs;
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
