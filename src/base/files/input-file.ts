import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { AppError, systemErrorCode } from '../errors.js';

/** Default maximum size of a file that a command reads, in bytes. @bound */
export const defaultInputBytes = 20 * 1024 * 1024;

/** The reason why a file cannot be read, phrased to follow "cannot be read: ". */
export class UnreadableInput extends Error {
  readonly reason: string;
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/**
 * Returns the bytes of a regular file that the user named, or of the file to which a link points. Throws
 * `UnreadableInput` for more than `maxBytes` bytes, and for pipes, devices and folders, without waiting for them. With
 * `isKnown`, the folder listing has just reported the file as regular, and it is opened without another check.
 *
 * Reads synchronously, which is faster for the few files of a command.
 */
export function readRegularFile(
  path: string,
  maxBytes = defaultInputBytes,
  isKnown = false,
): Buffer {
  let descriptor: number | undefined;
  try {
    // Opening a device can have side effects.
    if (!isKnown) assertRegular(statSync(path));
    descriptor = openSync(path, reading);
    const stats = fstatSync(descriptor);
    assertRegular(stats);
    return readBounded(descriptor, stats.size, maxBytes);
  } catch (error) {
    throw unreadableInput(error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Opens a regular file of any size for reading in pieces. Throws `UnreadableInput`. */
export async function openRegularFile(path: string): Promise<FileHandle> {
  let file: FileHandle | undefined;
  try {
    assertRegular(await stat(path));
    file = await open(path, reading);
    assertRegular(await file.stat());
    return file;
  } catch (error) {
    await file?.close();
    throw unreadableInput(error);
  }
}

/**
 * Without NONBLOCK, opening a named pipe would wait for a writer. A file may have been replaced by a pipe since it was
 * checked.
 */
const reading = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

function unreadableInput(error: unknown): unknown {
  const code = systemErrorCode(error);
  if (error instanceof UnreadableInput || code === undefined) return error;
  return new UnreadableInput(reasons[code] ?? `the system reported ${code}`, error);
}

/** Throws `UnreadableInput` unless the file is regular. */
function assertRegular(stats: Stats): void {
  if (!stats.isFile()) throw new UnreadableInput(`it is ${kindOf(stats)}, not a file`);
}

export interface InputFileOptions {
  /** The name that the user typed, for messages. By default, the path. */
  readonly name?: string;
  /** 20 MB by default. */
  readonly maxBytes?: number;
  /** Advice to show if the file cannot be read. */
  readonly hint?: string;
}

/** Returns the bytes of a regular file that a command requires. Throws `unreadable_input`. */
export function readInputFile(path: string, options: InputFileOptions = {}): Buffer {
  try {
    return readRegularFile(path, options.maxBytes);
  } catch (error) {
    throw asFailure(error, path, options);
  }
}

/** Returns the bytes of a regular file, or undefined if it does not exist. Throws `unreadable_input`. */
export function readOptionalFile(path: string, options: InputFileOptions = {}): Buffer | undefined {
  try {
    return readRegularFile(path, options.maxBytes);
  } catch (error) {
    const isMissing = error instanceof UnreadableInput && systemErrorCode(error.cause) === 'ENOENT';
    if (isMissing) return undefined;
    throw asFailure(error, path, options);
  }
}

function asFailure(error: unknown, path: string, { name = path, hint }: InputFileOptions): unknown {
  return error instanceof UnreadableInput ? unreadable(name, error, hint) : error;
}

/** Reads to the end regardless of the reported size, because system files report 0 and a file may grow. */
function readBounded(descriptor: number, size: number, maxBytes: number): Buffer {
  if (size > maxBytes) throw tooLarge(maxBytes);
  let bytes = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (;;) {
    const count = readSync(descriptor, bytes, length, bytes.length - length, null);
    length += count;
    // A file with a correct size ends there. Any other file ends where nothing more can be read.
    if (count === 0 || (length === size && size > 0)) return bytes.subarray(0, length);
    if (length > maxBytes) throw tooLarge(maxBytes);
    if (length === bytes.length)
      bytes = Buffer.concat([bytes, Buffer.allocUnsafe(length + 65_536)]);
  }
}

/** Returns all bytes of standard input or another stream. Throws `UnreadableInput` for more than `maxBytes` bytes. */
export async function readInputStream(
  stream: Readable,
  maxBytes = defaultInputBytes,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of stream) {
      const bytes = Buffer.from(chunk);
      length += bytes.length;
      if (length > maxBytes) throw tooLarge(maxBytes);
      chunks.push(bytes);
    }
  } catch (error) {
    throw unreadableInput(error);
  }
  return Buffer.concat(chunks, length);
}

/** Returns the error of a command that requires the file. `name` is the name that the user typed. */
export function unreadable(
  name: string,
  { reason, cause }: UnreadableInput,
  hint?: string,
): AppError {
  const options = hint === undefined ? { cause } : { cause, hint };
  return new AppError('unreadable_input', `${name} cannot be read: ${reason}.`, options);
}

function tooLarge(maxBytes: number): UnreadableInput {
  return new UnreadableInput(`it is larger than ${formatBytes(maxBytes)}`);
}

/** Returns a size in whole megabytes, such as `20 MB`, or else in bytes. */
export function formatBytes(bytes: number): string {
  const mebibyte = 1024 * 1024;
  return bytes % mebibyte === 0 ? `${bytes / mebibyte} MB` : `${bytes} bytes`;
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a named pipe';
  if (stats.isSocket()) return 'a socket';
  return 'a device';
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  ELOOP: 'its symbolic links form a loop',
  ENXIO: 'it is a socket or a device, not a file',
  EAGAIN: 'it cannot be read to its end',
};

/**
 * Returns a text that changes whenever the file is written, replaced, removed or restored. If the file cannot be
 * accessed, the text is the system's error code (`ENOENT`).
 */
export async function fileMark(file: string): Promise<string> {
  try {
    const { mtimeNs, ctimeNs, size, ino } = await stat(file, { bigint: true });
    return [mtimeNs, ctimeNs, size, ino].join(' ');
  } catch (error) {
    return systemErrorCode(error) ?? 'unknown';
  }
}
