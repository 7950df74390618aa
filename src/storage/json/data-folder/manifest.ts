import { replaceFile } from '../../../base/files/durable-write.js';
import type { FileLayer } from '../../../base/files/file-layer.js';
import { damagedLine, faultAt, type Report } from '../check/data-checker.js';
import { encodeLine, readFileLines } from '../lines/lines.js';

type Manifest = Readonly<Record<string, unknown>>;

/**
 * What the file `path` says of a store, all of whose files have been made: one that is missing has been lost.
 * Undefined where there is no such file, nothing where it is damaged.
 */
export async function readManifest(
  path: string,
  files: FileLayer,
  report: Report,
): Promise<Manifest | undefined> {
  for await (const [line] of readFileLines(files, path)) {
    if (line?.text !== undefined) return JSON.parse(line.text) as Manifest;
    report(faultAt({ file: path, line: 1 }, damagedLine));
    return {};
  }
  return undefined;
}

/** To be called when every file of the store is on disk. */
export function writeManifest(path: string, content: Manifest, files: FileLayer): Promise<void> {
  return replaceFile(path, encodeLine(JSON.stringify(content)), { files });
}
