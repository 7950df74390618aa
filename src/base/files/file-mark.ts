import { stat } from 'node:fs/promises';
import { systemErrorCode } from '../errors.js';

/**
 * A text that changes whenever the file is written, replaced, removed or put back; the system's code
 * (`ENOENT`) where it cannot be seen.
 */
export async function fileMark(file: string): Promise<string> {
  try {
    const { mtimeNs, ctimeNs, size, ino } = await stat(file, { bigint: true });
    return [mtimeNs, ctimeNs, size, ino].join(' ');
  } catch (error) {
    return systemErrorCode(error) ?? 'unknown';
  }
}
