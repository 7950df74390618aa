import type { FileLayer, OpenFile } from '../../src/base/files/file-layer.js';
import { promptFiles } from './prompt-files.js';

export type FaultyStep =
  | 'open'
  | 'rename'
  | 'link'
  | 'unlink'
  | 'mkdir'
  | 'readdir'
  | 'write'
  | 'read'
  | 'truncate'
  | 'sync'
  | 'datasync';

/** One use of the disk: the step, the file, and the number of this kind of step, counted from 1. */
export interface DiskUse {
  readonly step: FaultyStep;
  readonly path: string;
  readonly count: number;
}

/** A failure: a system error code or, for a write, the number of bytes that fit before ENOSPC. */
export type Fault = string | { readonly fits: number } | undefined;

export interface FaultyFiles extends FileLayer {
  /** Returns the failure of a use of the disk, if it fails. Can be replaced at any time. */
  fault: (use: DiskUse) => Fault;
  /** Every use so far, in order. */
  readonly uses: DiskUse[];
  /** The number of open files. */
  readonly openFiles: number;
}

/** Returns a file layer that injects faults. */
export function createFaultyFiles(fault: (use: DiskUse) => Fault = () => undefined): FaultyFiles {
  const counts = new Map<FaultyStep, number>();
  const uses: DiskUse[] = [];
  const use = (step: FaultyStep, path: string): Fault => {
    const count = (counts.get(step) ?? 0) + 1;
    counts.set(step, count);
    uses.push({ step, path, count });
    return layer.fault({ step, path, count });
  };
  const check = (step: FaultyStep, path: string): void => {
    const found = use(step, path);
    if (typeof found === 'string') throw systemError(found, path);
  };
  let openFiles = 0;
  const layer: FaultyFiles = {
    fault,
    uses,
    get openFiles() {
      return openFiles;
    },
    async open(path, flags, mode) {
      check('open', path);
      const handle = faultyHandle(await promptFiles.open(path, flags, mode), path, use, check);
      openFiles += 1;
      return {
        ...handle,
        async close() {
          openFiles -= 1;
          await handle.close();
        },
      };
    },
    async rename(from, to) {
      check('rename', to);
      await promptFiles.rename(from, to);
    },
    async link(existing, path) {
      check('link', path);
      await promptFiles.link(existing, path);
    },
    async unlink(path) {
      check('unlink', path);
      await promptFiles.unlink(path);
    },
    async mkdir(path, options) {
      check('mkdir', path);
      return promptFiles.mkdir(path, options);
    },
    async readdir(path) {
      check('readdir', path);
      return promptFiles.readdir(path);
    },
    rm: promptFiles.rm,
    stat: promptFiles.stat,
    utimes: promptFiles.utimes,
  };
  return layer;
}

function faultyHandle(
  handle: OpenFile,
  path: string,
  use: (step: FaultyStep, path: string) => Fault,
  check: (step: FaultyStep, path: string) => void,
): OpenFile {
  const write = async (bytes: Uint8Array, offset: number, length: number, position: number) => {
    const found = use('write', path);
    if (typeof found === 'string') throw systemError(found, path);
    if (!found) return handle.write(bytes, offset, length, position);
    if (found.fits === 0) throw systemError('ENOSPC', path);
    return handle.write(bytes, offset, Math.min(length, found.fits), position);
  };
  const checked =
    <Arguments extends unknown[], Result>(
      step: FaultyStep,
      call: (...values: Arguments) => Promise<Result>,
    ) =>
    async (...values: Arguments): Promise<Result> => {
      check(step, path);
      return call(...values);
    };
  return {
    // The storage writes and reads only with all four arguments. The overloads of Node.js allow other calls.
    write: write as unknown as OpenFile['write'],
    read: checked('read', handle.read.bind(handle)) as unknown as OpenFile['read'],
    truncate: checked('truncate', handle.truncate.bind(handle)),
    sync: checked('sync', handle.sync.bind(handle)),
    datasync: checked('datasync', handle.datasync.bind(handle)),
    stat: handle.stat.bind(handle) as OpenFile['stat'],
    close: handle.close.bind(handle),
  };
}

function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: injected fault, ${path}`), { code, path });
}
