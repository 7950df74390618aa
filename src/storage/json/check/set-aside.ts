import { dirname, join, relative } from 'node:path';
import {
  createFile,
  ensureFolder,
  readBytes,
  removeFile,
  syncFolder,
} from '../../../base/files/durable-write.js';
import type { FileLayer } from '../../../base/files/file-layer.js';

/**
 * Keeps damaged bytes of a file of a data folder in `<data>/damaged/<same path>.<n>`, n being the first that
 * is free, and gives that path. On disk when it resolves.
 */
export async function setAside(
  files: FileLayer,
  data: string,
  path: string,
  bytes: Uint8Array,
): Promise<string> {
  const base = join(data, 'damaged', relative(data, path));
  await ensureFolder(files, dirname(base));
  for (let number = 1; ; number += 1) {
    const kept = `${base}.${number}`;
    if (await createFile(kept, [bytes], { files })) return kept;
  }
}

/** Keeps a whole file so, then removes it; both are on disk when it resolves. */
export async function setFileAside(files: FileLayer, data: string, path: string): Promise<string> {
  const kept = await setAside(files, data, path, (await readBytes(files, path)) ?? Buffer.alloc(0));
  await removeFile(files, path);
  await syncFolder(files, dirname(path));
  return kept;
}
