import { mkdirSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type FileLayer, type OpenFile, systemFiles } from '../../src/base/files/file-layer.js';

/** A folder, or a file with the content that is known to be on disk. */
interface Entry {
  readonly isFolder: boolean;
  synced: Buffer;
  /** The content of a file whose name was removed. */
  last?: Buffer;
}

export interface PowerCutFiles extends FileLayer {
  /**
   * Writes a state that the disk may have after a power cut into a new folder. Names that were not synced with their
   * folder may be missing. In content that was not synced, the size and each page of 512 bytes are old or new. `random`
   * returns numbers from 0 to 1.
   */
  cut(to: string, random: () => number): void;
  /** Called before every use of the disk. */
  onUse: () => void;
}

const pageLength = 512;

/** Returns a file layer that records which changes in a folder a power cut may undo. */
export function createPowerCutFiles(root: string): PowerCutFiles {
  const names = new Map<string, Entry>();
  const durable = new Map<string, Entry>();
  const empty = Buffer.alloc(0);

  const layer: PowerCutFiles = {
    ...systemFiles,
    onUse: () => {},
    async open(path, flags, mode) {
      layer.onUse();
      const handle = await systemFiles.open(path, flags, mode);
      const found = names.get(path) ?? { isFolder: statSync(path).isDirectory(), synced: empty };
      if (path !== root) names.set(path, found);
      return watched(handle, path, found);
    },
    async rename(from, to) {
      layer.onUse();
      // Synchronous, so that a cut never finds names without entries.
      renameSync(from, to);
      const entry = names.get(from);
      const replaced = names.get(to);
      if (replaced) replaced.last = replaced.synced;
      if (entry) names.set(to, entry);
      names.delete(from);
    },
    async unlink(path) {
      layer.onUse();
      const last = readFileSync(path);
      unlinkSync(path);
      const entry = names.get(path);
      if (entry) entry.last = last;
      names.delete(path);
    },
    async mkdir(path, options) {
      layer.onUse();
      const first = await systemFiles.mkdir(path, options);
      for (
        let made = path;
        first !== undefined && made.length >= first.length;
        made = dirname(made)
      ) {
        names.set(made, { isFolder: true, synced: empty });
      }
      return first;
    },
    cut(to, random) {
      const isThere = (path: string): Entry | undefined => {
        const [now, then] = [names.get(path), durable.get(path)];
        return now === then || random() < 0.5 ? now : then;
      };
      const missing: string[] = [];
      for (const path of [...new Set([...names.keys(), ...durable.keys()])].sort()) {
        const entry = isThere(path);
        const isLost = missing.some((folder) => path.startsWith(`${folder}/`));
        if (!entry || isLost) {
          missing.push(path);
          continue;
        }
        const copy = join(to, relative(root, path));
        if (entry.isFolder) mkdirSync(copy, { recursive: true });
        else {
          mkdirSync(dirname(copy), { recursive: true });
          const current =
            entry.last ?? (names.get(path) === entry ? readFileSync(path) : entry.synced);
          writeFileSync(copy, mixed(entry.synced, current, random));
        }
      }
    },
  };

  function watched(handle: OpenFile, path: string, entry: Entry): OpenFile {
    const sync = async (work: () => Promise<void>) => {
      layer.onUse();
      await work();
      if (!entry.isFolder) {
        entry.synced = readFileSync(path);
        return;
      }
      for (const name of new Set([...names.keys(), ...durable.keys()])) {
        if (dirname(name) !== path) continue;
        const now = names.get(name);
        if (now) durable.set(name, now);
        else durable.delete(name);
      }
    };
    return {
      read: handle.read.bind(handle) as OpenFile['read'],
      stat: handle.stat.bind(handle) as OpenFile['stat'],
      close: handle.close.bind(handle),
      write: ((...values: Parameters<OpenFile['write']>) => {
        layer.onUse();
        return handle.write(...values);
      }) as OpenFile['write'],
      truncate: (length) => {
        layer.onUse();
        return handle.truncate(length);
      },
      sync: () => sync(() => handle.sync()),
      datasync: () => sync(() => handle.datasync()),
    };
  }

  return layer;
}

/** Mixes pages of two states of a file. */
function mixed(synced: Buffer, current: Buffer, random: () => number): Buffer {
  const size = random() < 0.5 ? synced.length : current.length;
  const bytes = Buffer.alloc(size);
  for (let start = 0; start < size; start += pageLength) {
    const from = random() < 0.5 ? synced : current;
    from.subarray(start, Math.min(start + pageLength, size)).copy(bytes, start);
  }
  return bytes;
}
