import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { AppError, systemErrorCode } from '../errors.js';

/** Bytes of a file that a command reads by default. @bound */
export const defaultInputBytes = 20 * 1024 * 1024;

/** Why a file was not read, in words that go on from "cannot be read: ". */
export class UnreadableInput extends Error {
  readonly reason: string;
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/**
 * The bytes of a regular file that the user named (a link to one is followed), `mostBytes` at most.
 * Pipes, devices and folders are refused without waiting for them. Throws `UnreadableInput`.
 * One that a moment ago its folder said to be regular is opened without another look (`isKnown`).
 *
 * It is read at once: commands read few files, and a detour costs more than the reading.
 */
export function readRegularFile(
  path: string,
  mostBytes = defaultInputBytes,
  isKnown = false,
): Buffer {
  let descriptor: number | undefined;
  try {
    // Opening alone does something to some devices.
    if (!isKnown) assertRegular(statSync(path));
    descriptor = openSync(path, reading);
    const stats = fstatSync(descriptor);
    assertRegular(stats);
    return readBounded(descriptor, stats.size, mostBytes);
  } catch (error) {
    throw unreadableInput(error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** A regular file of any size, open to be read piece by piece. Throws `UnreadableInput`. */
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
 * Without NONBLOCK, opening a named pipe would wait for whoever writes to it: what was no pipe a moment ago
 * may have become one.
 */
const reading = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

function unreadableInput(error: unknown): unknown {
  const code = systemErrorCode(error);
  if (error instanceof UnreadableInput || code === undefined) return error;
  return new UnreadableInput(reasons[code] ?? `the system says ${code}`, error);
}

/** Throws `UnreadableInput` for what is no regular file. */
function assertRegular(stats: Stats): void {
  if (!stats.isFile()) throw new UnreadableInput(`it is ${kindOf(stats)}, not a file`);
}

export interface InputFileOptions {
  /** How the user called it, for messages; the path by default. */
  readonly name?: string;
  /** 20 MB by default. */
  readonly mostBytes?: number;
  /** What to do where it cannot be read. */
  readonly hint?: string;
}

/** The bytes of a regular file that a command cannot go on without. Throws `unreadable_input`. */
export function readInputFile(path: string, options: InputFileOptions = {}): Buffer {
  try {
    return readRegularFile(path, options.mostBytes);
  } catch (error) {
    throw asFailure(error, path, options);
  }
}

/** The same of one that need not be there: undefined where it is not. */
export function readOptionalFile(path: string, options: InputFileOptions = {}): Buffer | undefined {
  try {
    return readRegularFile(path, options.mostBytes);
  } catch (error) {
    const isMissing = error instanceof UnreadableInput && systemErrorCode(error.cause) === 'ENOENT';
    if (isMissing) return undefined;
    throw asFailure(error, path, options);
  }
}

function asFailure(error: unknown, path: string, { name = path, hint }: InputFileOptions): unknown {
  return error instanceof UnreadableInput ? unreadable(name, error, hint) : error;
}

/** Reads to the end, whatever size was announced: files of the system say 0 and a file may grow. */
function readBounded(descriptor: number, size: number, mostBytes: number): Buffer {
  if (size > mostBytes) throw tooLarge(mostBytes);
  let bytes = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (;;) {
    const count = readSync(descriptor, bytes, length, bytes.length - length, null);
    length += count;
    // Less than there is room for is all of a file that is as large as it said; of others, nothing more.
    if (count === 0 || (length === size && size > 0)) return bytes.subarray(0, length);
    if (length > mostBytes) throw tooLarge(mostBytes);
    if (length === bytes.length)
      bytes = Buffer.concat([bytes, Buffer.allocUnsafe(length + 65_536)]);
  }
}

/** All bytes of standard input or another stream, `mostBytes` at most. Throws `UnreadableInput`. */
export async function readInputStream(
  stream: Readable,
  mostBytes = defaultInputBytes,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of stream) {
      const bytes = Buffer.from(chunk);
      length += bytes.length;
      if (length > mostBytes) throw tooLarge(mostBytes);
      chunks.push(bytes);
    }
  } catch (error) {
    throw unreadableInput(error);
  }
  return Buffer.concat(chunks, length);
}

/** The failure of a command that cannot go on without the file. `name` is how the user called it. */
export function unreadable(
  name: string,
  { reason, cause }: UnreadableInput,
  hint?: string,
): AppError {
  const options = hint === undefined ? { cause } : { cause, hint };
  return new AppError('unreadable_input', `${name} cannot be read: ${reason}.`, options);
}

function tooLarge(mostBytes: number): UnreadableInput {
  return new UnreadableInput(`it is larger than ${formatBytes(mostBytes)}`);
}

/** `20 MB`, or where that is not exact, the bytes. */
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
  ELOOP: 'its symbolic links lead in a circle',
  ENXIO: 'it is a socket or a device, not a file',
  EAGAIN: 'it is no file that can be read to its end',
};

/**
 * A text that changes whenever the file is written, replaced, removed or put back; the system's code
 * (`ENOENT`) where it cannot be seen.
 */
export async function fileMark(file: string): Promise<string> {
  try {
    const { mtimeNs, ctimeNs, size, ino } = await stat(file, { bigint: true });
    return [mtimeNs, ctimeNs, size, ino].join(' ');
  } catch (error) {
    return systemErrorCode(error) ?? 'unknown';
  }
}
