import { join } from 'node:path';
import pLimit from 'p-limit';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { AppError, type ErrorDetail } from '../../base/errors.js';
import { fileMark } from '../../base/files/input-file.js';
import { escapeForeignLines } from '../../base/foreign-text.js';
import { nameFiles } from '../check/baseline.js';
import { checkInterruptibly } from '../check/check-file.js';
import { configName, loadConfig } from '../check/config.js';
import { ignoreName, withoutIgnored } from '../check/select-files.js';
import { acceptFindings } from '../findings/accepted.js';
import type { FileReport } from '../findings/finding.js';
import type { LintOptions } from '../rules/lint.js';
import type { Location, OpenDocuments } from './workspace.js';

/** The result of the check of one version of a document. */
export interface CheckedDocument {
  readonly text: TextDocument;
  readonly version: number;
  /** Changes whenever the document or its settings change. */
  readonly stamp: string;
  readonly location: Location;
  /** The options of the check. */
  readonly lint: LintOptions;
  /** Undefined if the ignore file excludes the document. */
  readonly report: FileReport | undefined;
}

interface CheckOptions {
  readonly documents: OpenDocuments;
  locate(uri: string): Location;
  /** Called with the settings of every check. */
  onSettings(settings: FolderSettings): void;
}

/** Maximum number of concurrent checks. */
const maxConcurrentChecks = 2;

/** A running or finished check. */
interface Work {
  readonly stamp: string;
  readonly checked: Promise<CheckedDocument | undefined>;
  readonly controller: AbortController;
}

/** The checks of open documents. */
export type Checks = ReturnType<typeof createChecks>;

/** Checks documents in the same way as `validate-screen`, each version once. Aborts a check if its document changes. */
export function createChecks({ documents, locate, onSettings }: CheckOptions) {
  const known = new Map<string, Work>();
  const limit = pLimit(maxConcurrentChecks);

  function start(stamp: string, text: TextDocument, lint: LintOptions): Work {
    const { uri, version } = text;
    const location = locate(uri);
    const controller = new AbortController();
    const { signal } = controller;
    // Copied, because the document may change during the check.
    const bytes = Buffer.from(text.getText());
    const checked = limit(async () => {
      if (signal.aborted) return undefined;
      const ignored = await isIgnored(location);
      const content = { file: location.file, bytes, lint };
      const report = ignored ? undefined : await checkInterruptibly(content, signal);
      return signal.aborted ? undefined : { text, version, stamp, location, lint, report };
    });
    return { stamp, checked, controller };
  }

  function forget(uri: string): void {
    known.get(uri)?.controller.abort();
    known.delete(uri);
  }

  /** Checks the current version. Resolves to undefined if the document changes or closes during the check. */
  async function checkOnce(uri: string): Promise<CheckedDocument | undefined> {
    const folderSettings = await readSettings(locate(uri));
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
    /** Checks the latest version of a document. Resolves to undefined if it is not open or is too large. */
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

/** The settings for a document in a folder. */
export interface FolderSettings {
  /** Changes whenever the configuration or the ignore file changes. */
  readonly stamp: string;
  readonly lint: LintOptions;
  /** The reason why the configuration cannot be used. */
  readonly fault?: string;
}

/** Reads the settings for a document from its folder's configuration, as `validate-screen` does. */
async function readSettings({ folder, file }: Location): Promise<FolderSettings> {
  if (folder === undefined) return { stamp: '', lint: {} };
  const names = [configName, ignoreName];
  const marks = await Promise.all(names.map((name) => fileMark(join(folder, name))));
  const stamp = [folder, ...marks].join('\n');
  try {
    const loaded = await loadConfig(folder);
    await withoutIgnored([], folder);
    const { severities = {}, ignore = [], baseline = [] } = loaded?.config ?? {};
    const entries = [...ignore, ...baseline];
    const accepted = acceptFindings(
      entries,
      await nameFiles(entries, { cwd: folder, folder, files: [file] }),
    );
    return { stamp, lint: { severities, accepted } };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { stamp, lint: {}, fault: describe(error) };
  }
}

/** Returns true if the folder's ignore file excludes a document. */
async function isIgnored({ folder, file }: Location): Promise<boolean> {
  if (folder === undefined) return false;
  const kept = await withoutIgnored([file], folder).catch((error: unknown) => {
    if (error instanceof AppError) return [file]; // `readSettings` reports it.
    throw error;
  });
  return kept.length === 0;
}

function describe({ message, details }: AppError): string {
  const faults: readonly ErrorDetail[] = Array.isArray(details) ? details : [];
  const lines = [message, ...faults.map((fault) => `${fault.path} ${fault.message}`.trim())];
  return escapeForeignLines(lines.join('\n'));
}
