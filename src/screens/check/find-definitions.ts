import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders that are never searched (a file in them may still be named). */
export const neverSearched: ReadonlySet<string> = new Set(['node_modules', '.git']);

/** What definitions are called: editors and folders are searched by it. */
const ending = '.screen.json';

/**
 * The definitions in a folder and the folders in it, as paths relative to it with forward slashes, in
 * the order of their characters. Names are compared as they are: they may have any characters, line
 * breaks included. As for a glob, names that begin with a dot are passed over, links are not
 * followed, and folders that cannot be read are taken for empty.
 * `entryFound` is called with everything that is seen.
 */
export async function findDefinitions(
  folder: string,
  entryFound: (entry: Dirent) => void,
): Promise<readonly string[]> {
  const found: string[] = [];
  const left = [''];
  for (let inside = left.pop(); inside !== undefined; inside = left.pop()) {
    const entries = await readdir(join(folder, inside), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      entryFound(entry);
      const { name } = entry;
      if (name.startsWith('.') || neverSearched.has(name)) continue;
      if (entry.isDirectory()) left.push(`${inside}${name}/`);
      else if (entry.isFile() && name.endsWith(ending)) found.push(inside + name);
    }
  }
  return found.sort();
}
