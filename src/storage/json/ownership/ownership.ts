import { createHash, randomBytes } from 'node:crypto';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, systemErrorCode } from '../../../base/errors.js';
import {
  linkNew,
  readTextFile,
  removeFile,
  withFile,
  writeAll,
} from '../../../base/files/durable-write.js';
import type { FileLayer } from '../../../base/files/file-layer.js';
import { ignoreMissing, storageError } from '../../../base/files/storage-errors.js';

/** The content of an ownership file. */
export interface Owner {
  /** A random value that is never reused. */
  readonly nonce: string;
  readonly process: ProcessIdentity;
  /** The command or worker, for messages. */
  readonly label: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** The time at which the lease ends unless it is renewed, in milliseconds since the epoch. */
  readonly expires: number;
}

/** Returns this process as a new owner. */
export async function newOwner(label: string, now: number, expires: number): Promise<Owner> {
  const nonce = randomBytes(12).toString('hex');
  return { nonce, process: await currentProcess(), label, since: now, expires };
}

interface OwnershipRequest {
  readonly files: FileLayer;
  readonly path: string;
  readonly owner: Owner;
  /** Returns whether the current owner may be replaced; called once per attempt. */
  isStale(holder: Owner): Promise<boolean>;
}

/** Maximum number of attempts to become the owner. Competing processes need only a few. */
const attempts = 50;

/**
 * Becomes the owner of `path`, or returns the current owner. If several processes try concurrently, exactly one
 * succeeds, even if all of them found the same dead owner. To replace the owner with nonce N, a process creates the
 * file `<path>.<N>.next`, which only one process can do. It renames this file to `path` if that still contains nonce N.
 * The process whose nonce is in `path` is the owner.
 */
export async function takeOwnership(request: OwnershipRequest): Promise<Owner | undefined> {
  const { files, path, owner } = request;
  const newFile = `${path}.${owner.nonce}.new`;
  try {
    await writeOwner(files, newFile, owner);
    for (let number = 0; number < attempts; number += 1) {
      const outcome = await attempt(request, newFile);
      if (outcome === 'won') return undefined;
      if (outcome !== 'again') return outcome;
      if (number > 2) await delay(5);
    }
  } catch (cause) {
    throw storageError(cause, path);
  } finally {
    await files.unlink(newFile).catch(() => {});
  }
  throw new AppError('storage_unavailable', 'The data directory changes too quickly. Try again.');
}

/** Makes one attempt. Returns 'won', the current owner, or 'again' if the files changed in the meantime. */
async function attempt(
  request: OwnershipRequest,
  newFile: string,
): Promise<'won' | 'again' | Owner> {
  const { files, path, owner, isStale } = request;
  if (await linkNew(files, newFile, path)) return 'won';
  const found = await readHolder(files, path);
  if (!found) return 'again';
  if (found.holder && !(await isStale(found.holder))) return found.holder;
  const next = `${path}.${found.nonce}.next`;
  if (!(await linkNew(files, newFile, next))) {
    await removeDeadSuccessor(request, next);
    return 'again';
  }
  const isUnchanged = (await readHolder(files, path))?.nonce === found.nonce;
  if (isUnchanged) await files.rename(next, path).catch(ignoreMissing);
  else await removeFile(files, next);
  return (await readOwner(files, path))?.nonce === owner.nonce ? 'won' : 'again';
}

/** Removes the `.next` file of a process that died between the two steps. It would block all others forever. */
async function removeDeadSuccessor(
  { files, isStale }: OwnershipRequest,
  next: string,
): Promise<void> {
  const found = await readHolder(files, next);
  if (found && (!found.holder || (await isStale(found.holder)))) await removeFile(files, next);
}

/** Returns the owner of `path`. An unreadable file, as after a power cut, has no owner. */
export async function readOwner(files: FileLayer, path: string): Promise<Owner | undefined> {
  return (await readHolder(files, path))?.holder;
}

/** Like `readOwner`, but an unreadable file also has a nonce, so that it can be replaced. */
async function readHolder(
  files: FileLayer,
  path: string,
): Promise<{ readonly nonce: string; readonly holder?: Owner } | undefined> {
  const text = await readTextFile(files, path);
  if (text === undefined) return undefined;
  try {
    const holder: unknown = JSON.parse(text);
    if (isOwner(holder)) return { nonce: holder.nonce, holder };
  } catch {
    // The file is unreadable.
  }
  return { nonce: 'unreadable' };
}

function isOwner(value: unknown): value is Owner {
  const owner = value as Partial<Owner> | null;
  return (
    typeof owner?.nonce === 'string' &&
    /^[\da-f]{24}$/.test(owner.nonce) &&
    typeof owner.process?.pid === 'number' &&
    typeof owner.process.host === 'string' &&
    typeof owner.since === 'number' &&
    typeof owner.expires === 'number'
  );
}

/** Ends an ownership unless another owner has taken over. */
export async function endOwnership(files: FileLayer, path: string, nonce: string): Promise<void> {
  if ((await readOwner(files, path))?.nonce === nonce) await removeFile(files, path);
}

/** Replaces the caller's ownership file atomically, for example to extend its lease. */
export async function rewriteOwner(files: FileLayer, path: string, owner: Owner): Promise<void> {
  const newFile = `${path}.${owner.nonce}.new`;
  try {
    await writeOwner(files, newFile, owner);
    await files.rename(newFile, path);
  } catch (cause) {
    await files.unlink(newFile).catch(() => {});
    throw storageError(cause, path);
  }
}

function writeOwner(files: FileLayer, path: string, owner: Owner): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify(owner)}\n`);
  return withFile(files, path, 'w', (file) => writeAll(file, bytes, 0));
}

/** Identifies a process and distinguishes it from later processes with the same ID. */
export interface ProcessIdentity {
  readonly host: string;
  /** Digest of the machine's ID, which is confidential; '' if the system has none. */
  readonly machine?: string;
  /** ID of the machine's current boot; '' if the system has none. */
  readonly boot?: string;
  /** The PID namespace: each container has its own. */
  readonly space?: string;
  readonly pid: number;
  /** Start time of the process in kernel ticks since boot; null if the system does not provide it. */
  readonly started: string | null;
}

/** Returns the identity of this process. */
export async function currentProcess(): Promise<ProcessIdentity> {
  const started = await startOf(process.pid).catch(() => null);
  return { ...(await here()), pid: process.pid, started };
}

/**
 * Returns whether a process is still running; `unknown` if it is in a different container or on a different machine. A
 * process from before the machine's last boot is dead.
 */
export async function livenessOf(identity: ProcessIdentity): Promise<'alive' | 'dead' | 'unknown'> {
  const { host, machine, boot, space } = await here();
  if (identity.host !== host || identity.machine !== machine) return 'unknown';
  // An ID that cannot be read proves nothing.
  if (identity.boot !== boot) return machine === '' || boot === '' ? 'unknown' : 'dead';
  if (identity.space !== space) return 'unknown';
  if (identity.started !== null) {
    const started = await startOf(identity.pid).catch(() => undefined);
    if (started === undefined) return 'unknown';
    return started === identity.started ? 'alive' : 'dead';
  }
  return processExists(identity.pid) ? 'unknown' : 'dead';
}

async function here() {
  const read = (path: string) => readFile(path, 'utf8').catch(() => '');
  const [machine, boot, space] = await Promise.all([
    read('/etc/machine-id'),
    read('/proc/sys/kernel/random/boot_id'),
    readlink('/proc/self/ns/pid').catch(() => ''),
  ]);
  return { host: hostname(), machine: digestOf(machine.trim()), boot: boot.trim(), space };
}

function digestOf(text: string): string {
  return text && createHash('sha256').update(`msgsite ${text}`).digest('hex').slice(0, 16);
}

/** Reads field 22 of /proc/<pid>/stat (proc(5)). The command name before it may contain spaces and parentheses. */
async function startOf(pid: number): Promise<string | null> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const isZombie = fields[0] === 'Z';
    return isZombie ? null : (fields[19] ?? null);
  } catch (error) {
    if (!['ENOENT', 'ESRCH'].includes(systemErrorCode(error) ?? '')) throw error;
    return null;
  }
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) !== 'ESRCH';
  }
}
