import { join } from 'node:path';
import { replaceFile } from '../../base/files/durable-write.js';
import type { FileLayer } from '../../base/files/file-layer.js';
import { type Report, repairAdvice } from '../../storage/json/data-checker.js';
import { encodeLine, readFileLines } from '../../storage/json/lines.js';
import { messagingCollections } from './collections.js';

const pathIn = (folder: string) => join(folder, 'store.json');

/** Whether every part of the store has been made, so that a file of one that is missing has been lost. */
export async function isComplete(
  folder: string,
  files: FileLayer,
  report: Report,
): Promise<boolean> {
  const file = pathIn(folder);
  for await (const [line] of readFileLines(files, file)) {
    if (line?.text === undefined) {
      const message = 'This line is damaged: its checksum does not fit.';
      report({ severity: 'error', file, line: 1, message, advice: repairAdvice });
    }
    return true;
  }
  return false;
}

/** Says so; to be called when every part is on disk. */
export function markComplete(folder: string, files: FileLayer): Promise<void> {
  const names = Object.values(messagingCollections(folder)).map(({ name }) => name);
  const line = encodeLine(JSON.stringify({ collections: names, logs: ['journal'] }));
  return replaceFile(pathIn(folder), line, { files });
}
