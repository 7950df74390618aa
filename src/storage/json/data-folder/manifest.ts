import { replaceFile } from '../../../base/files/durable-write.js';
import type { FileLayer } from '../../../base/files/file-layer.js';
import { damagedLine, faultAt, noteBreak, type Report } from '../check/data-checker.js';
import { bytesOf, encodeLine, readFileLines } from '../lines/lines.js';

type Manifest = Readonly<Record<string, unknown>>;

/**
 * Reads the file `path`, which exists once every file of a store has been created. Undefined if there is no such file;
 * empty if it is damaged.
 */
export async function readManifest(
  path: string,
  files: FileLayer,
  report: Report,
): Promise<Manifest | undefined> {
  for await (const [line] of readFileLines(files, path)) {
    if (!line) continue;
    noteBreak(line, path, report);
    if (line.text !== undefined) return JSON.parse(line.text) as Manifest;
    report(faultAt({ file: path, line: 1 }, damagedLine), bytesOf(line));
    return {};
  }
  return undefined;
}

/** To be called when every file of the store is on disk. */
export function writeManifest(path: string, content: Manifest, files: FileLayer): Promise<void> {
  return replaceFile(path, encodeLine(JSON.stringify(content)), { files });
}
