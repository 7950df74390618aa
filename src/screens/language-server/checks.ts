import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { AppError, type ErrorDetail } from '../../base/errors.js';
import { fileMark } from '../../base/files/input-file.js';
import { escapeForeignLines } from '../../base/foreign-text.js';
import { nameFiles } from '../check/baseline.js';
import { checkInterruptibly } from '../check/check-file.js';
import { configName, loadConfig } from '../check/config.js';
import { ignoreName, withoutIgnored } from '../check/select-files.js';
import { acceptFindings, type Suppression } from '../findings/accepted.js';
import type { FileReport } from '../findings/finding.js';
import type { LintOptions } from '../rules/lint.js';
import type { Location, OpenDocuments } from './workspace.js';

/** What was found in one version of a document. */
export interface CheckedDocument {
  readonly text: TextDocument;
  readonly version: number;
  /** Another one whenever the document or its settings are. */
  readonly stamp: string;
  readonly location: Location;
  /** How it was checked. */
  readonly lint: LintOptions;
  /** Undefined where the ignore file leaves the document out. */
  readonly report: FileReport | undefined;
}

interface Surroundings {
  readonly documents: OpenDocuments;
  readonly settings: ReturnType<typeof createSettingsReader>;
  locate(uri: string): Location;
  /** Told of the settings of every check. */
  onSettings(settings: FolderSettings): void;
}

/** Documents that are checked at a time; a large one has a process of its own. */
const atOnce = 2;

/** A check, and how to end it. */
interface Work {
  readonly stamp: string;
  readonly checked: Promise<CheckedDocument | undefined>;
  readonly controller: AbortController;
}

/** What is found in open documents. */
export type Checks = ReturnType<typeof createChecks>;

/**
 * Checks documents as `validate-screen` does, each version once, however often it is asked for. A check
 * whose document has changed meanwhile is ended.
 */
export function createChecks({ documents, settings, locate, onSettings }: Surroundings) {
  const known = new Map<string, Work>();
  const limit = pLimit(atOnce);

  function start(stamp: string, text: TextDocument, lint: LintOptions): Work {
    const { uri, version } = text;
    const location = locate(uri);
    const controller = new AbortController();
    const { signal } = controller;
    // The editor goes on writing in the document.
    const bytes = Buffer.from(text.getText());
    const checked = limit(async () => {
      if (signal.aborted) return undefined;
      const isLeftOut = await settings.isLeftOut(location);
      const content = { file: location.file, bytes, lint };
      const report = isLeftOut ? undefined : await checkInterruptibly(content, signal);
      return signal.aborted ? undefined : { text, version, stamp, location, lint, report };
    });
    return { stamp, checked, controller };
  }

  function forget(uri: string): void {
    known.get(uri)?.controller.abort();
    known.delete(uri);
  }

  /** Undefined where the document was changed or closed meanwhile. */
  async function checkOnce(uri: string): Promise<CheckedDocument | undefined> {
    const folderSettings = await settings.read(locate(uri));
    onSettings(folderSettings);
    const { text } = documents.get(uri) ?? {};
    if (text === undefined) return undefined;
    const stamp = `${text.version}\n${folderSettings.stamp}`;
    const before = known.get(uri);
    if (before?.stamp === stamp) return before.checked;
    forget(uri);
    const work = start(stamp, text, folderSettings.lint);
    known.set(uri, work);
    return work.checked;
  }

  return {
    /**
     * What is found in a document as it is when the answer comes. Undefined where it is not open, or larger
     * than the server reads.
     */
    async of(uri: string): Promise<CheckedDocument | undefined> {
      for (;;) {
        const checked = await checkOnce(uri);
        const { text } = documents.get(uri) ?? {};
        if (text === undefined) return undefined;
        if (checked?.version === text.version) return checked;
      }
    },
    forget,
    forgetAll(): void {
      for (const uri of [...known.keys()]) forget(uri);
    },
  };
}

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
