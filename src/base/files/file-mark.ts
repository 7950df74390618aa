import { stat } from 'node:fs/promises';
import { systemErrorCode } from '../errors.js';

/** A text that changes whenever the file is written, replaced, removed or put back. */
export async function fileMark(file: string): Promise<string> {
  try {
    const { mtimeMs, size, ino } = await stat(file);
    return `${mtimeMs} ${size} ${ino}`;
  } catch (error) {
    return systemErrorCode(error) ?? 'unknown';
  }
}
