import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../base/errors.js';
import { readTextFile, removeFile, writeAll } from '../../base/files/durable-write.js';
import type { FileLayer } from '../../base/files/file-layer.js';
import { isExisting, isMissing, storageError } from '../../base/files/storage-errors.js';
import { currentProcess, livenessOf, type ProcessIdentity } from './process-identity.js';

/** What an ownership file says: who owns the thing, and under which unrepeatable number. */
export interface Owner {
  readonly nonce: string;
  readonly process: ProcessIdentity;
  /** Who it is, for people: a command, a worker's name. */
  readonly label: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** When it ends by itself, milliseconds since the epoch; null = with its process. */
  readonly expires: number | null;
}

/** A number that names one ownership and no other. */
function newNonce(): string {
  return randomBytes(12).toString('hex');
}

/** This process as an owner from now on. */
export async function newOwner(
  label: string,
  now: number,
  expires: number | null = null,
): Promise<Owner> {
  return { nonce: newNonce(), process: await currentProcess(), label, since: now, expires };
}

/** Whether what somebody owns is free: its lease has ended, or its process runs no more. */
export async function isOver({ expires, process }: Owner, now: number): Promise<boolean> {
  return (expires !== null && expires <= now) || (await livenessOf(process)) === 'dead';
}

export interface OwnershipRequest {
  readonly files: FileLayer;
  readonly path: string;
  readonly owner: Owner;
  /** Whether what is there may be taken over; asked once a look. */
  isStale(holder: Owner): Promise<boolean>;
}

/** Racing processes settle within a few looks; more means that the disk misbehaves. */
const looks = 50;

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
    for (let look = 0; look < looks; look += 1) {
      const outcome = await attempt(request, own);
      if (outcome === 'won') return undefined;
      if (outcome !== 'again') return outcome;
      if (look > 2) await delay(5);
    }
  } catch (cause) {
    throw storageError(cause, path);
  } finally {
    await files.unlink(own).catch(() => {});
  }
  throw new AppError('storage_unavailable', 'The data directory changes too quickly; try again.');
}

/** One look: 'won', 'again' (something moved meanwhile), or the holder. */
async function attempt(request: OwnershipRequest, own: string): Promise<'won' | 'again' | Owner> {
  const { files, path, owner, isStale } = request;
  if (await tryLink(files, own, path)) return 'won';
  const holder = await readHolder(files, path);
  if (!holder) return 'again';
  if (isOwner(holder) && !(await isStale(holder))) return holder;
  const next = `${path}.${holder.nonce}.next`;
  if (!(await tryLink(files, own, next))) return clearDeadSuccessor(request, next);
  if ((await readHolder(files, path))?.nonce === holder.nonce) {
    await files.rename(next, path).catch(ignoreMissing);
  } else {
    await removeFile(files, next);
  }
  return (await readOwner(files, path))?.nonce === owner.nonce ? 'won' : 'again';
}

/** One that died between its two steps would bar the way for ever. */
async function clearDeadSuccessor(request: OwnershipRequest, next: string): Promise<'again'> {
  const successor = await readHolder(request.files, next);
  if (successor && (!isOwner(successor) || (await request.isStale(successor)))) {
    await removeFile(request.files, next);
  }
  return 'again';
}

/** Who owns `path` now. A file that cannot be understood (a power cut) is owned by nobody. */
export async function readOwner(files: FileLayer, path: string): Promise<Owner | undefined> {
  const found = await readHolder(files, path);
  return isOwner(found) ? found : undefined;
}

/** As `readOwner`, but a file that cannot be understood has a number too, by which it is taken over. */
async function readHolder(files: FileLayer, path: string): Promise<Owner | Unreadable | undefined> {
  const text = await readTextFile(files, path);
  if (text === undefined) return undefined;
  try {
    const owner: unknown = JSON.parse(text);
    if (isOwner(owner)) return owner;
  } catch {
    // Falls through: unreadable.
  }
  return { nonce: 'unreadable' };
}

interface Unreadable {
  readonly nonce: 'unreadable';
}

function isOwner(value: unknown): value is Owner {
  const owner = value as Partial<Owner> | null | undefined;
  return (
    typeof owner?.nonce === 'string' &&
    /^[\da-f]{24}$/.test(owner.nonce) &&
    typeof owner.process?.pid === 'number' &&
    typeof owner.process.host === 'string' &&
    typeof owner.since === 'number'
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

async function writeOwner(files: FileLayer, path: string, owner: Owner): Promise<void> {
  const handle = await files.open(path, 'w', 0o600);
  try {
    await writeAll(handle, Buffer.from(`${JSON.stringify(owner)}\n`), 0);
  } finally {
    await handle.close();
  }
}

async function tryLink(files: FileLayer, existing: string, path: string): Promise<boolean> {
  try {
    await files.link(existing, path);
    return true;
  } catch (error) {
    if (isExisting(error)) return false;
    throw error;
  }
}

function ignoreMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}
