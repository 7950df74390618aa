import { checkContent, type FileContent, largeFile } from './check-file.js';
import type { FileReport } from './findings.js';
import type { Folding } from './folding.js';

/** Checks a file so that an interruption is heard at any time; undefined when it was. */
export async function checkInterruptibly(
  content: FileContent,
  signal: AbortSignal,
  folding?: Folding,
): Promise<FileReport | undefined> {
  if (content.bytes.length < largeFile) return checkContent(content, folding);
  const { checkApart } = await import('./check-apart.js');
  return checkApart(content, signal);
}
