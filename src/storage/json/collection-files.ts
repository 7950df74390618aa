import type { FileLayer } from '../../base/files/file-layer.js';
import { isMissing, storageError } from '../../base/files/storage-errors.js';

/** Whether a value is a line of a collection's journal. */
export function isChangeList(value: unknown): value is readonly (readonly [string, unknown])[] {
  const isChange = (change: unknown) =>
    Array.isArray(change) && change.length === 2 && (change[0] === 'put' || change[0] === 'delete');
  return Array.isArray(value) && value.every(isChange);
}

/** Numbers of a collection's journals (`<name>.<n>.jsonl`), rising. */
export async function journalNumbers(
  files: FileLayer,
  folder: string,
  name: string,
): Promise<number[]> {
  const found = (await listFolder(files, folder)).flatMap((file) => {
    const number = file.startsWith(`${name}.`) && /^\.(\d+)\.jsonl$/.exec(file.slice(name.length));
    return number ? [Number(number[1])] : [];
  });
  return found.sort((a, b) => a - b);
}

/** Names in a folder; none where it does not exist. */
export async function listFolder(files: FileLayer, folder: string): Promise<string[]> {
  try {
    return (await files.readdir(folder)).sort();
  } catch (cause) {
    if (isMissing(cause)) return [];
    throw storageError(cause, folder);
  }
}
