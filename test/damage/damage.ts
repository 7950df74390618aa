import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FoundFile, FoundFolder } from '../power-cut/disk-history.js';
import type { Random } from '../power-cut/random.js';

/** Types of damage: one bit, a sector, or a page of the system's cache. */
export const damages = ['a bit', 512, 4096] as const;

export type Damage = (typeof damages)[number];

/** Returns the bytes damaged at a random position. They always differ from the original. */
export function damage(bytes: Uint8Array, type: Damage, random: Random): Uint8Array {
  const damaged = Buffer.from(bytes);
  if (bytes.length === 0) return Buffer.from([1]);
  // The position is at the beginning, at the end, or anywhere.
  const position = random.of([0, bytes.length - 2, random.below(bytes.length)]);
  // A damaged line break alone loses no data (see the tests of the logs).
  if (type === 'a bit' && bytes[position] === 10) return damage(bytes, type, random);
  if (type === 'a bit') damaged[position] = (damaged[position] ?? 0) ^ (1 << random.below(8));
  else {
    const start = Math.floor(position / type) * type;
    damaged.fill(0, start, Math.min(start + type, bytes.length));
  }
  return damaged.equals(bytes) ? damage(bytes, 'a bit', random) : damaged;
}

/** Reads a folder. Several names of a file share one entry. */
export function readFolder(path: string, known = new Map<number, FoundFile>()): FoundFolder {
  const files = new Map<string, FoundFile>();
  const folders = new Map<string, FoundFolder>();
  for (const name of readdirSync(path)) {
    const below = join(path, name);
    const stats = lstatSync(below);
    if (stats.isDirectory()) {
      folders.set(name, readFolder(below, known));
      continue;
    }
    const file = known.get(stats.ino) ?? { bytes: readFileSync(below) };
    known.set(stats.ino, file);
    files.set(name, file);
  }
  return { files, folders };
}

/** Returns the path of every file. */
export function pathsIn({ files, folders }: FoundFolder, path = ''): string[] {
  const below = [...folders].flatMap(([name, folder]) => pathsIn(folder, `${path}${name}/`));
  return [...[...files.keys()].map((name) => path + name), ...below];
}

export function fileAt(folder: FoundFolder, path: string): FoundFile {
  const [name = '', ...rest] = path.split('/');
  const inside = folder.folders.get(name);
  const file = rest.length > 0 ? inside && fileAt(inside, rest.join('/')) : folder.files.get(name);
  if (!file) throw new Error(`${path} does not exist.`);
  return file;
}

/** Returns the folder with some files replaced, under all their names. */
export function replaceFiles(
  folder: FoundFolder,
  others: ReadonlyMap<FoundFile, FoundFile>,
): FoundFolder {
  const files = [...folder.files].map(([name, file]) => [name, others.get(file) ?? file] as const);
  const folders = [...folder.folders].map(
    ([name, each]) => [name, replaceFiles(each, others)] as const,
  );
  return { files: new Map(files), folders: new Map(folders) };
}
