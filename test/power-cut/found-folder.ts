import { linkSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FoundFile, FoundFolder } from './disk-history.js';

/** Writes the state after a power cut to a disk. */
export function writeFolder(found: FoundFolder, path: string): void {
  const written = new Map<FoundFile, string>();
  const write = ({ files, folders }: FoundFolder, place: string) => {
    mkdirSync(place, { mode: 0o700 });
    for (const [name, file] of files) {
      const other = written.get(file);
      if (other) linkSync(other, join(place, name));
      else writeFileSync(join(place, name), file.bytes, { mode: 0o600 });
      written.set(file, join(place, name));
    }
    for (const [name, folder] of folders) write(folder, join(place, name));
  };
  write(found, path);
}

/** Returns every path with its content, for comparing folders. */
export function listFound(found: FoundFolder, path = ''): Map<string, string> {
  const list = new Map<string, string>();
  for (const [name, { bytes }] of found.files) {
    list.set(`${path}${name}`, Buffer.from(bytes).toString('latin1'));
  }
  for (const [name, folder] of found.folders) {
    list.set(`${path}${name}/`, '');
    for (const [below, text] of listFound(folder, `${path}${name}/`)) list.set(below, text);
  }
  return list;
}

/** Returns every path in a folder on disk with its content. */
export function listFolder(folder: string, path = ''): Map<string, string> {
  const list = new Map<string, string>();
  for (const name of readdirSync(join(folder, path))) {
    const below = `${path}${name}`;
    if (statSync(join(folder, below)).isDirectory()) {
      list.set(`${below}/`, '');
      for (const [each, text] of listFolder(folder, `${below}/`)) list.set(each, text);
    } else list.set(below, readFileSync(join(folder, below), 'latin1'));
  }
  return list;
}
