import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { AppError, type ErrorDetail } from '../../base/errors.js';
import { fileMark } from '../../base/files/input-file.js';
import { escapeForeignLines } from '../../base/foreign-text.js';
import { acceptFindings, type Suppression } from '../check/accepted.js';
import { nameFiles } from '../check/accepted-files.js';
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

/** The same before a document of the folder is looked at. */
interface KeptSettings extends FolderSettings {
  /** What the configuration accepts. */
  readonly entries: readonly Suppression[];
}

/** The most folders whose settings are kept. */
const mostFolders = 100;

/**
 * Reads the settings of folders as `validate-screen` does. Whether they are still the same is asked of the
 * file system each time, so that no client has to watch files.
 */
export function createSettingsReader() {
  const known = new LRUCache<string, KeptSettings>({ max: mostFolders });
  return {
    async read({ folder, file }: Location): Promise<FolderSettings> {
      if (folder === undefined) return { stamp: '', lint: {} };
      const names = [configName, ignoreName];
      const marks = await Promise.all(names.map((name) => fileMark(join(folder, name))));
      const stamp = [folder, ...marks].join('\n');
      const before = known.get(folder);
      const settings = before?.stamp === stamp ? before : await readSettings(folder, stamp);
      known.set(folder, settings);
      return forFile(settings, folder, file);
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

async function readSettings(folder: string, stamp: string): Promise<KeptSettings> {
  try {
    const loaded = await loadConfig(folder);
    await withoutIgnored([], folder);
    const { severities = {}, ignore = [], baseline = [] } = loaded?.config ?? {};
    const entries = [...ignore, ...baseline];
    await nameFiles(entries, { cwd: folder, folder, files: [] });
    return { stamp, entries, lint: { severities, accepted: acceptFindings(entries) } };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { stamp, entries: [], lint: {}, fault: describe(error) };
  }
}

/** The settings with what the entries of the configuration call a document: globs of theirs, too. */
async function forFile(
  { entries, lint, ...settings }: KeptSettings,
  folder: string,
  file: string,
): Promise<FolderSettings> {
  if (!lint.accepted || entries.length === 0) return { ...settings, lint };
  const names = await nameFiles(entries, { cwd: folder, folder, files: [file] });
  return { ...settings, lint: { ...lint, accepted: { ...lint.accepted, names } } };
}

function describe({ message, details }: AppError): string {
  const faults: readonly ErrorDetail[] = Array.isArray(details) ? details : [];
  const lines = [message, ...faults.map((fault) => `${fault.path} ${fault.message}`.trim())];
  return escapeForeignLines(lines.join('\n'));
}
