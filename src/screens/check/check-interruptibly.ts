import type { FileReport } from './findings.js';
import { type FileContent, validateContent } from './validate-files.js';

/**
 * A file of so many bytes takes up to a tenth of a second. Larger ones are checked in a process of their
 * own: it can be ended in the middle, while this one hears no signal as long as it works.
 */
const largeFile = 512 * 1024;

/** Checks a file here; undefined where it is large, and has to be checked apart. */
export async function checkUnlessLarge(content: FileContent): Promise<FileReport | undefined> {
  return content.bytes.length < largeFile ? validateContent(content) : undefined;
}

/** Checks a file so that an interruption is heard at any time; undefined when it was. */
export async function checkInterruptibly(
  content: FileContent,
  signal: AbortSignal,
): Promise<FileReport | undefined> {
  if (content.bytes.length < largeFile) return validateContent(content);
  const { checkApart } = await import('./check-apart.js');
  return checkApart(content, signal);
}
