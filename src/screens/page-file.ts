import writeFileAtomic from 'write-file-atomic';
import { AppError, systemErrorCode } from '../errors.js';

/** Writes a page in one step: whoever reads the file never sees half of it. */
export async function writePage(file: string, page: string): Promise<void> {
  try {
    await writeFileAtomic(file, page);
  } catch (cause) {
    throw new AppError(
      'unreadable_input',
      `${file} cannot be written (${systemErrorCode(cause) ?? 'unknown reason'}).`,
      { hint: 'The folder has to exist and to be writable.', cause },
    );
  }
}
