import { join } from 'node:path';
import type { LimitFunction } from 'p-limit';
import {
  ensureFolder,
  readTextFile,
  removeFile,
  replaceFile,
} from '../../base/files/durable-write.js';
import type { FileLayer } from '../../base/files/file-layer.js';
import { parseJsonText } from '../../json/parse-text.js';
import { listFolder } from './collection-files.js';
import { fileNameOf, isDay } from './spool-paths.js';

/**
 * On which day the records of a state lie, without looking through the days: each record's file has a
 * second name (a hard link, so it takes no room) in one folder, and its content says the day:
 *
 *     <state>/2026-07-28/<id>.json    the record
 *     <state>/by-id/<id>.json         the same file
 *
 * The second name is there before the first one. What it leads to may be missing after a crash.
 */
export interface SpoolIndex {
  /** The second name of a record's file. */
  pathOf(id: string): string;
  dayOf(id: string): Promise<string | undefined>;
  forget(id: string): Promise<void>;
  /** Says of a state that has no records yet that all of them have their second names. */
  begin(): Promise<void>;
  /** Gives the records of a folder that was written before there were second names theirs. */
  complete(): Promise<void>;
}

export interface SpoolIndexOptions {
  /** `<folder>/<state>` */
  readonly folder: string;
  /** Where files are written before they get their names. */
  readonly temporaryFolder: string;
  readonly files: FileLayer;
  readonly limit: LimitFunction;
}

/** Says that every record has its second name. */
const completeName = '.complete';

export function createSpoolIndex(options: SpoolIndexOptions): SpoolIndex {
  const { folder, temporaryFolder, files, limit } = options;
  const places = join(folder, 'by-id');
  const pathOf = (id: string) => join(places, `${fileNameOf(id)}.json`);
  const mark = join(places, completeName);
  const tell = () => replaceFile(mark, '', { files, temporaryFolder });

  /** What is damaged keeps its place: whoever reads the record by its day is told. */
  async function nameAgain(day: string, name: string): Promise<void> {
    const path = join(folder, day, name);
    const text = await readTextFile(files, path);
    const file = text === undefined ? undefined : parsed(text, path);
    if (!file) return;
    const content = `${JSON.stringify({ ...file, day })}\n`;
    await replaceFile(path, content, { files, temporaryFolder, secondPath: join(places, name) });
  }

  return {
    pathOf,
    async dayOf(id) {
      const path = pathOf(id);
      const text = await limit(() => readTextFile(files, path));
      if (text === undefined) return undefined;
      const { day } = parseJsonText(text, path) as { day?: unknown };
      return typeof day === 'string' && isDay(day) ? day : undefined;
    },
    async begin() {
      await ensureFolder(files, places);
      await ensureFolder(files, temporaryFolder);
      await tell();
    },
    forget: (id) => removeFile(files, pathOf(id)),
    async complete() {
      await ensureFolder(files, places);
      if ((await readTextFile(files, mark)) !== undefined) return;
      for (const day of (await listFolder(files, folder)).filter(isDay)) {
        const names = await listFolder(files, join(folder, day));
        const records = names.filter((name) => name.endsWith('.json'));
        await Promise.all(records.map((name) => limit(() => nameAgain(day, name))));
      }
      await tell();
    },
  };
}

function parsed(text: string, path: string): object | undefined {
  try {
    const value = parseJsonText(text, path);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
