import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { AppError, type ErrorDetail } from '../../base/errors.js';
import { fileMark } from '../../base/files/file-mark.js';
import { escapeForeignLines } from '../../base/foreign-text.js';
import { acceptFindings } from '../check/accepted.js';
import { configName, loadConfig } from '../check/config-file.js';
import { ignoreName, withoutIgnored } from '../check/select-files.js';
import type { LintOptions } from '../rules/lint.js';
import type { Location } from './workspace.js';

/** How the documents of a folder are checked. */
export interface FolderSettings {
  /** Another one whenever a file has changed that the settings come from. */
  readonly stamp: string;
  readonly lint: LintOptions;
  /** Why they are not what the folder asks for. */
  readonly fault?: string;
}

/** Folders whose settings are kept. */
const mostFolders = 100;

/**
 * Reads the settings of folders as `validate-screen` does. Whether they are still the same is asked of the
 * file system each time, so that no client has to watch files.
 */
export function createSettingsReader() {
  const known = new LRUCache<string, FolderSettings>({ max: mostFolders });
  return {
    async read({ folder }: Location): Promise<FolderSettings> {
      if (folder === undefined) return { stamp: '', lint: {} };
      const names = [configName, ignoreName];
      const marks = await Promise.all(names.map((name) => fileMark(join(folder, name))));
      const stamp = [folder, ...marks].join('\n');
      const before = known.get(folder);
      if (before?.stamp === stamp) return before;
      const settings = await readSettings(folder, stamp);
      known.set(folder, settings);
      return settings;
    },
    /** Whether the folder's ignore file leaves a document out. */
    async isLeftOut({ folder, file }: Location): Promise<boolean> {
      if (folder === undefined) return false;
      const kept = await withoutIgnored([file], folder).catch((error: unknown) => {
        if (error instanceof AppError) return [file]; // `read` has said so.
        throw error;
      });
      return kept.length === 0;
    },
  };
}

async function readSettings(folder: string, stamp: string): Promise<FolderSettings> {
  try {
    const loaded = await loadConfig(folder);
    await withoutIgnored([], folder);
    const { severities = {}, ignore = [], baseline = [] } = loaded?.config ?? {};
    return { stamp, lint: { severities, accepted: acceptFindings([...ignore, ...baseline]) } };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { stamp, lint: {}, fault: describe(error) };
  }
}

function describe({ message, details }: AppError): string {
  const faults: readonly ErrorDetail[] = Array.isArray(details) ? details : [];
  const lines = [message, ...faults.map((fault) => `${fault.path} ${fault.message}`.trim())];
  return escapeForeignLines(lines.join('\n'));
}
