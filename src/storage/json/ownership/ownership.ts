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

/** What an ownership file says: who owns the thing, and under which unrepeatable number. */
export interface Owner {
  readonly nonce: string;
  readonly process: ProcessIdentity;
  /** Who it is, for people: a command, a worker's name. */
  readonly label: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** When its lease ends unless it is renewed, in milliseconds since the epoch. */
  readonly expires: number;
}

/** This process as an owner from now on. */
export async function newOwner(label: string, now: number, expires: number): Promise<Owner> {
  const nonce = randomBytes(12).toString('hex');
  return { nonce, process: await currentProcess(), label, since: now, expires };
}

interface OwnershipRequest {
  readonly files: FileLayer;
  readonly path: string;
  readonly owner: Owner;
  /** Whether what is there may be taken over; asked once an attempt. */
  isStale(holder: Owner): Promise<boolean>;
}

/** Racing processes settle within a few attempts; more means that the disk misbehaves. */
const attempts = 50;

/**
 * Becomes the owner of `path`, or tells who is. Of any number of processes that try at once one wins,
 * also when they all found the same dead owner: to take over from the holder with nonce N one first
 * creates the file `<path>.<N>.next` (which only one can), then renames it over `path` if that is
 * still N's. Whoever's nonce is in `path` owns it.
 */
export async function takeOwnership(request: OwnershipRequest): Promise<Owner | undefined> {
  const { files, path, owner } = request;
  const own = `${path}.${owner.nonce}.new`;
  try {
    await writeOwner(files, own, owner);
    for (let number = 0; number < attempts; number += 1) {
      const outcome = await attempt(request, own);
      if (outcome === 'won') return undefined;
      if (outcome !== 'again') return outcome;
      if (number > 2) await delay(5);
    }
  } catch (cause) {
    throw storageError(cause, path);
  } finally {
    await files.unlink(own).catch(() => {});
  }
  throw new AppError('storage_unavailable', 'The data directory changes too quickly; try again.');
}

/** One attempt: 'won', 'again' (something moved meanwhile), or the holder. */
async function attempt(request: OwnershipRequest, own: string): Promise<'won' | 'again' | Owner> {
  const { files, path, owner, isStale } = request;
  if (await linkNew(files, own, path)) return 'won';
  const found = await readHolder(files, path);
  if (!found) return 'again';
  if (found.holder && !(await isStale(found.holder))) return found.holder;
  const next = `${path}.${found.nonce}.next`;
  if (!(await linkNew(files, own, next))) {
    await removeDeadSuccessor(request, next);
    return 'again';
  }
  const isUnchanged = (await readHolder(files, path))?.nonce === found.nonce;
  if (isUnchanged) await files.rename(next, path).catch(ignoreMissing);
  else await removeFile(files, next);
  return (await readOwner(files, path))?.nonce === owner.nonce ? 'won' : 'again';
}

/** One that died between its two steps would bar the way for ever. */
async function removeDeadSuccessor(
  { files, isStale }: OwnershipRequest,
  next: string,
): Promise<void> {
  const found = await readHolder(files, next);
  if (found && (!found.holder || (await isStale(found.holder)))) await removeFile(files, next);
}

/** Who owns `path` now. A file that cannot be understood (a power cut) is owned by nobody. */
export async function readOwner(files: FileLayer, path: string): Promise<Owner | undefined> {
  return (await readHolder(files, path))?.holder;
}

/** As `readOwner`, but a file that cannot be understood has a number too, by which it is taken over. */
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
    // Falls through: unreadable.
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

/** Ends an ownership, unless somebody has taken it over meanwhile. */
export async function endOwnership(files: FileLayer, path: string, nonce: string): Promise<void> {
  if ((await readOwner(files, path))?.nonce === nonce) await removeFile(files, path);
}

/** Replaces one's own ownership file (a longer lease); readers never see half of it. */
export async function rewriteOwner(files: FileLayer, path: string, owner: Owner): Promise<void> {
  const own = `${path}.${owner.nonce}.new`;
  try {
    await writeOwner(files, own, owner);
    await files.rename(own, path);
  } catch (cause) {
    await files.unlink(own).catch(() => {});
    throw storageError(cause, path);
  }
}

function writeOwner(files: FileLayer, path: string, owner: Owner): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify(owner)}\n`);
  return withFile(files, path, 'w', (file) => writeAll(file, bytes, 0));
}

/** A process, told apart from any later one that gets the same number. */
export interface ProcessIdentity {
  readonly host: string;
  /** Names the machine, '' where the system does not; a digest, as the number itself is no one's business. */
  readonly machine?: string;
  /** Names the time since the machine was started; '' where the system does not tell. */
  readonly boot?: string;
  /** The space in which `pid` means something: a container has its own. */
  readonly space?: string;
  readonly pid: number;
  /** When the process started, in the kernel's ticks since boot; null where the system tells not. */
  readonly started: string | null;
}

/** Who we are. */
export async function currentProcess(): Promise<ProcessIdentity> {
  const started = await startOf(process.pid).catch(() => null);
  return { ...(await here()), pid: process.pid, started };
}

/**
 * Returns whether a process still runs; `unknown` for one in another container or on another machine. Nothing outlives
 * a restart of its machine.
 */
export async function livenessOf(identity: ProcessIdentity): Promise<'alive' | 'dead' | 'unknown'> {
  const { host, machine, boot, space } = await here();
  if (identity.host !== host || identity.machine !== machine) return 'unknown';
  // What cannot be read just now proves nothing.
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

/** Field 22 of /proc/<pid>/stat (proc(5)); the command name before it may hold blanks and brackets. */
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
