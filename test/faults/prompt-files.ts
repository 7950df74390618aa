import * as fs from 'node:fs';
import { promisify } from 'node:util';
import type { FileLayer, OpenFile } from '../../src/base/files/file-layer.js';

const sync = promisify(fs.fsync);
const datasync = promisify(fs.fdatasync);

/**
 * A file layer that accesses files synchronously instead of in threads, which makes tests of thousands of steps faster.
 * Only syncing is asynchronous, because other operations start and wait during it.
 */
export const promptFiles: FileLayer = {
  open: async (path, flags, mode = 0o600) => openFile(fs.openSync(path, flags, mode)),
  rename: async (from, to) => fs.renameSync(from, to),
  link: async (existing, path) => fs.linkSync(existing, path),
  unlink: async (path) => fs.unlinkSync(path),
  mkdir: async (path, options) => fs.mkdirSync(path, options),
  readdir: async (path) => fs.readdirSync(path),
  rm: async (path, options) => fs.rmSync(path, options),
  stat: async (path) => fs.statSync(path),
  utimes: async (path, accessed, modified) => fs.utimesSync(path, accessed, modified),
};

function openFile(file: number): OpenFile {
  const read = async (bytes: Uint8Array, offset: number, length: number, position: number) => ({
    bytesRead: fs.readSync(file, bytes, offset, length, position),
    buffer: bytes,
  });
  const write = async (bytes: Uint8Array, offset: number, length: number, position: number) => ({
    bytesWritten: fs.writeSync(file, bytes, offset, length, position),
    buffer: bytes,
  });
  let closed = false;
  return {
    // The storage writes and reads only with all four arguments. The overloads of Node.js allow other calls.
    read: read as unknown as OpenFile['read'],
    write: write as unknown as OpenFile['write'],
    truncate: async (length) => fs.ftruncateSync(file, length),
    sync: () => sync(file),
    datasync: () => datasync(file),
    stat: (async () => fs.fstatSync(file)) as OpenFile['stat'],
    async close() {
      // The descriptor may belong to another file by now.
      if (closed) return;
      closed = true;
      fs.closeSync(file);
    },
  };
}
