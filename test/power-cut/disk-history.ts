import { relative, sep } from 'node:path';
import type { Operation } from './trace.js';

/** The content of a folder. Several names of a file refer to the same object. */
export interface FoundFolder {
  readonly folders: ReadonlyMap<string, FoundFolder>;
  readonly files: ReadonlyMap<string, FoundFile>;
}

export interface FoundFile {
  readonly bytes: Uint8Array;
}

/** A change to one name, or to the two names of a rename. */
export interface NameChange {
  readonly begin: number;
  readonly end: number;
  readonly versions: Version[];
}

/** The target of a name after a change; undefined after its removal. */
export interface Version {
  readonly slot: Slot;
  readonly index: number;
  readonly change: NameChange;
  readonly target: Inode | undefined;
}

/** A name in a folder, with all its targets, oldest first. */
export interface Slot {
  readonly folder: Inode;
  readonly name: string;
  readonly versions: Version[];
}

/** A change to the bytes of a file. */
export interface DataChange {
  readonly begin: number;
  readonly end: number;
  /** The bytes to write at `position`; undefined if the file is truncated there. */
  readonly data?: Uint8Array;
  readonly position: number;
}

/** A file or a folder, independent of its names. */
export interface Inode {
  readonly id: number;
  readonly kind: 'file' | 'folder';
  /** The names in a folder. */
  readonly slots: Map<string, Slot>;
  readonly data: DataChange[];
  readonly syncs: { readonly begin: number; readonly end: number }[];
}

/** All past and present content of a folder. */
export interface DiskHistory {
  readonly root: Inode;
  readonly inodes: readonly Inode[];
}

/** Number of later operations in which a prerequisite of an operation is searched for. */
const overlap = 500;

/** An empty folder, the default before the recording. */
const nothing: FoundFolder = { folders: new Map(), files: new Map() };

/**
 * Replays the operations on `root` in the order in which they ended, and returns the targets of each name and the
 * changes to each file. If operations of several processes overlap, an operation that could not have succeeded yet is
 * moved after the one that it requires.
 */
export function readHistory(
  operations: readonly Operation[],
  root: string,
  initial = nothing,
): DiskHistory {
  const inodes: Inode[] = [];
  const handles = new Map<string, Inode>();
  const top = createInode('folder');

  function createInode(kind: Inode['kind']): Inode {
    const inode: Inode = { id: inodes.length, kind, slots: new Map(), data: [], syncs: [] };
    inodes.push(inode);
    return inode;
  }

  function wordsOf(path: string): string[] {
    const words = relative(root, path).split(sep);
    if (words[0] === '..') throw new Error(`${path} is not in ${root}.`);
    return words.filter((word) => word !== '');
  }

  function find(path: string): Inode | undefined {
    let inode: Inode | undefined = top;
    for (const word of wordsOf(path)) inode = inode && current(inode, word);
    return inode;
  }

  const current = (folder: Inode, name: string) => folder.slots.get(name)?.versions.at(-1)?.target;

  function slotOf(path: string): Slot | undefined {
    const words = wordsOf(path);
    const name = words.pop();
    const folder = find(`${root}${sep}${words.join(sep)}`);
    if (name === undefined || folder?.kind !== 'folder') return undefined;
    const slot = folder.slots.get(name) ?? { folder, name, versions: [] };
    folder.slots.set(name, slot);
    return slot;
  }

  type Times = Pick<Operation, 'begin' | 'end'>;

  function change({ begin, end }: Times, ...names: (readonly [Slot, Inode | undefined])[]): true {
    const change: NameChange = { begin, end, versions: [] };
    for (const [slot, target] of names) {
      const version: Version = { slot, index: slot.versions.length, change, target };
      slot.versions.push(version);
      change.versions.push(version);
    }
    return true;
  }

  /** Applies an operation. Returns false and changes nothing if it cannot have succeeded yet. */
  function apply(operation: Operation): boolean {
    switch (operation.op) {
      case 'open':
        return applyOpen(operation);
      case 'write':
      case 'truncate':
      case 'sync': {
        const inode = handles.get(operation.handle);
        if (!inode) return false;
        const { begin, end } = operation;
        if (operation.op === 'sync') inode.syncs.push({ begin, end });
        else if (operation.op === 'truncate')
          inode.data.push({ begin, end, position: operation.length });
        else inode.data.push({ begin, end, position: operation.position, data: operation.data });
        return true;
      }
      case 'mkdir':
        return applyMkdir(operation);
      case 'rename': {
        const [from, to] = [slotOf(operation.from), slotOf(operation.path)];
        const target = from?.versions.at(-1)?.target;
        if (!from || !to || !target) return false;
        // rename(2) has no effect on two names of the same file.
        if (to.versions.at(-1)?.target === target) return true;
        return change(operation, [to, target], [from, undefined]);
      }
      case 'link': {
        const [target, to] = [find(operation.from), slotOf(operation.path)];
        if (!target || !to || to.versions.at(-1)?.target) return false;
        return change(operation, [to, target]);
      }
      case 'unlink':
      case 'rmdir': {
        const slot = slotOf(operation.path);
        return slot?.versions.at(-1)?.target ? change(operation, [slot, undefined]) : false;
      }
      case 'rm':
        for (const name of operation.names) {
          const slot = slotOf(name);
          if (slot?.versions.at(-1)?.target) change(operation, [slot, undefined]);
        }
        return true;
    }
  }

  function applyOpen(operation: Operation & { readonly op: 'open' }): boolean {
    const { path, flags, handle, begin, end } = operation;
    if (!/^(r|r\+|a|a\+|w|w\+|wx|wx\+|ax|ax\+)$/.test(flags)) {
      throw new Error(`readHistory does not support opening with ${flags}.`);
    }
    let inode = find(path);
    if (inode ? flags.includes('x') : flags.startsWith('r')) return false;
    if (!inode) {
      const slot = slotOf(path);
      if (!slot) return false;
      inode = createInode('file');
      change(operation, [slot, inode]);
    } else if (flags.startsWith('w')) inode.data.push({ begin, end, position: 0 });
    handles.set(handle, inode);
    return true;
  }

  function applyMkdir(operation: Operation & { readonly op: 'mkdir' }): boolean {
    const { path, recursive, made } = operation;
    const paths: string[] = recursive ? [] : [path];
    if (made !== undefined) {
      const words = wordsOf(path);
      for (let count = wordsOf(made).length; count <= words.length; count += 1) {
        paths.push(`${root}${sep}${words.slice(0, count).join(sep)}`);
      }
    }
    for (const each of paths) {
      if (wordsOf(each).length === 0) continue;
      const slot = slotOf(each);
      if (!slot || slot.versions.at(-1)?.target) return false;
      change(operation, [slot, createInode('folder')]);
    }
    return true;
  }

  const before: Times = { begin: Number.NEGATIVE_INFINITY, end: Number.NEGATIVE_INFINITY };
  const known = new Map<FoundFile, Inode>();

  function begin(folder: Inode, { files, folders }: FoundFolder): void {
    const name = (text: string, target: Inode) => {
      const slot: Slot = { folder, name: text, versions: [] };
      folder.slots.set(text, slot);
      change(before, [slot, target]);
    };
    for (const [text, file] of files) {
      const inode = known.get(file) ?? createInode('file');
      if (!known.has(file)) inode.data.push({ ...before, position: 0, data: file.bytes });
      known.set(file, inode);
      name(text, inode);
    }
    for (const [text, inside] of folders) {
      const inode = createInode('folder');
      name(text, inode);
      begin(inode, inside);
    }
  }

  begin(top, initial);
  const waiting = [...operations];
  const done = new Set<Operation>();
  waiting.forEach((operation, index) => {
    if (done.has(operation) || apply(operation)) return;
    for (const other of waiting.slice(index + 1, index + overlap)) {
      if (done.has(other) || other.begin > operation.end || !apply(other)) continue;
      done.add(other);
      if (apply(operation)) return;
    }
    // An operation that was in progress when its process exited may not have been performed.
    if (operation.end === Number.POSITIVE_INFINITY) return;
    throw new Error(`The trace is contradictory: ${JSON.stringify({ ...operation, data: '' })}`);
  });
  return { root: top, inodes };
}
