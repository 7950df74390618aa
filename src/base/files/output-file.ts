import { constants, createWriteStream, openSync } from 'node:fs';
import { chmod, lstat, readlink, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, systemErrorCode } from '../errors.js';
import { replaceFile } from './durable-write.js';

/** The target of an output that the user named. */
export type OutputTarget =
  /** A regular file or a new one. It is replaced in one step, so that nobody reads it half-written. */
  | { readonly kind: 'replace'; readonly path: string; readonly mode: number | undefined }
  /** An open file of this process (`/dev/stdout` is 1). It is written at its current position. */
  | { readonly kind: 'descriptor'; readonly descriptor: number }
  /** A named pipe. It is written once a reader has opened it. */
  | { readonly kind: 'pipe'; readonly path: string }
  /** A device or another file that is never replaced. It is written in place. */
  | { readonly kind: 'device'; readonly path: string };

/** Mode of a new file, before the system applies the user's umask. */
const newFile = 0o666;

/** Maximum number of links in a chain that are followed, as on Linux. */
const maxLinks = 40;

/**
 * Returns the target of a path. Follows links, even if the target of the last one does not exist yet. Only regular
 * files are ever replaced. Rejects with the system's error.
 */
export async function findOutputTarget(path: string): Promise<OutputTarget> {
  // Someone may be writing to an open file, and some files (sockets) cannot be opened by name.
  const descriptor = await descriptorOf(path);
  if (descriptor !== undefined) return { kind: 'descriptor', descriptor };
  const found = await stat(path).catch(missingIsUndefined);
  if (found === undefined) {
    return { kind: 'replace', path: await endOfLinks(path), mode: undefined };
  }
  if (found.isFile()) {
    return { kind: 'replace', path: await realpath(path), mode: found.mode & 0o777 };
  }
  return { kind: found.isFIFO() ? 'pipe' : 'device', path };
}

/** Returns whether a name that the user typed in a folder is standard output: `-`, or a path that resolves to it. */
export async function isStandardOutput(folder: string, name: string): Promise<boolean> {
  return name === '-' || (await descriptorOf(resolve(folder, name))) === 1;
}

/** Returns the file descriptor of this process that a path names, such as 1 for /dev/stdout. */
async function descriptorOf(path: string): Promise<number | undefined> {
  let at = path;
  for (let links = 0; links < maxLinks; links += 1) {
    const [, owner, number] =
      /^\/(?:dev|proc\/(self|thread-self|\d+)(?:\/task\/\d+)?)\/fd\/(\d+)$/.exec(at) ?? [];
    const isOurs = !/^\d/.test(owner ?? '') || Number(owner) === process.pid;
    if (number !== undefined && isOurs) return Number(number);
    const next = await readlink(at).catch(() => undefined);
    if (next === undefined) return undefined;
    at = resolve(dirname(at), next);
  }
  return undefined;
}

/** Returns the path of the file that a write would create through links whose target does not exist yet. */
async function endOfLinks(path: string): Promise<string> {
  let at = path;
  for (let links = 0; links < maxLinks; links += 1) {
    const found = await lstat(at).catch(missingIsUndefined);
    if (!found?.isSymbolicLink()) return at;
    at = resolve(dirname(at), await readlink(at));
  }
  throw Object.assign(new Error(`Too many links: ${path}`), { code: 'ELOOP' });
}

function missingIsUndefined(error: unknown): undefined {
  if (systemErrorCode(error) === 'ENOENT') return undefined;
  throw error;
}

type Content = string | AsyncIterable<string | Uint8Array>;

export interface OutputFileOptions {
  /** The streams of descriptors 1 and 2. By default, those of the process. */
  readonly streams?: { readonly stdout: Writable; readonly stderr: Writable };
  /** File mode. By default, an existing file keeps its mode, and a new one follows the user's umask. */
  readonly mode?: number;
  /** Aborts the wait for the reader of a pipe. */
  readonly signal?: AbortSignal;
}

/**
 * Writes to an output that the user named. A regular file is replaced in one step, even through a link, which remains.
 * Anything else is written in place, so that `-o /dev/stdout` and `-o /dev/null` work as usual. Throws
 * `storage_unavailable` if the disk is full or fails, and `unreadable_input` for any other reason.
 */
export async function writeOutputFile(
  path: string,
  content: Content,
  options: OutputFileOptions = {},
): Promise<void> {
  try {
    await write(await findOutputTarget(path), content, options);
  } catch (cause) {
    if (cause instanceof AppError && cause.code !== 'storage_unavailable') throw cause;
    const code = systemErrorCode(cause instanceof AppError ? cause.cause : cause);
    if (code === undefined) throw cause;
    // A failing disk may recover, and is not the user's mistake.
    const kind = Object.hasOwn(diskFaults, code) ? 'storage_unavailable' : 'unreadable_input';
    throw new AppError(kind, `${path} cannot be written (${code}).`, {
      hint:
        diskFaults[code] ??
        hints[code] ??
        'The folder must exist, and this user must be allowed to write to it.',
      cause,
    });
  }
}

const diskFaults: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full. Free space, or write to another disk.',
  EDQUOT: 'The disk quota is exceeded. Free space, or write to another disk.',
  EROFS: 'The disk is read-only. Write to another disk.',
  EIO: 'The disk reported an error. Write to another disk.',
};

const hints: Readonly<Record<string, string>> = {
  EPIPE: 'The reader has closed the pipe.',
  EISDIR: 'It is a folder. Name a file in it.',
  EBADF: 'That file descriptor is not open for writing.',
};

async function write(
  target: OutputTarget,
  content: Content,
  { streams = process, mode, signal }: OutputFileOptions,
): Promise<void> {
  switch (target.kind) {
    case 'replace':
      await replaceFile(target.path, content, { mode: mode ?? target.mode ?? newFile });
      // An existing file keeps its mode regardless of the umask.
      if (mode === undefined && target.mode !== undefined) await chmod(target.path, target.mode);
      return undefined;
    case 'descriptor': {
      const own = [undefined, streams.stdout, streams.stderr][target.descriptor];
      const stream = own ?? createWriteStream('', { fd: target.descriptor, autoClose: false });
      return pipeline(Readable.from(content), stream, { end: own === undefined });
    }
    case 'pipe': {
      const fd = await openPipe(target.path, signal);
      const { Socket } = await import('node:net');
      return pipeline(Readable.from(content), new Socket({ fd, readable: false }));
    }
    case 'device':
      return pipeline(Readable.from(content), createWriteStream(target.path, { flags: 'w' }));
  }
}

/** Time between two checks of a pipe without a reader, in milliseconds. */
const readerInterval = 50;

/**
 * Opens a pipe for writing once it has a reader. A blocking open would leave a thread waiting in the system, where no
 * signal can interrupt it.
 */
async function openPipe(path: string, signal: AbortSignal | undefined): Promise<number> {
  while (!signal?.aborted) {
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if (systemErrorCode(error) !== 'ENXIO') throw error;
    }
    await delay(readerInterval);
  }
  throw new AppError('interrupted', 'Interrupted.');
}
