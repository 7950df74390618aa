import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemErrorCode } from '../errors.js';

/**
 * Makes a folder and the parents that it lacks; gives the first one made, undefined where all were there.
 *
 * Node.js's own `recursive` never ends where a file system takes no folders (/proc says that the new name
 * does not exist): it makes the parent, which is there, and tries again, for ever.
 */
export async function makeFolders(
  path: string,
  options: { readonly mode: number },
): Promise<string | undefined> {
  const made = await makeOne(path, options.mode);
  if (made !== 'no parent') return made ? path : undefined;
  const parent = dirname(path);
  const first = parent === path ? undefined : await makeFolders(parent, options);
  if ((await makeOne(path, options.mode)) === 'no parent') {
    throw Object.assign(new Error(`No folder can be made at ${path}`), { code: 'ENOENT', path });
  }
  return first ?? path;
}

/** True where the folder was made, false where it was there already. */
async function makeOne(path: string, mode: number): Promise<boolean | 'no parent'> {
  try {
    await mkdir(path, { mode });
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return 'no parent';
    // A read-only disk may say so of a folder that is there, and so may the root of a drive.
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory()) return false;
    throw error;
  }
}
