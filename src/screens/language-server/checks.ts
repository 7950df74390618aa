import pLimit from 'p-limit';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { checkInterruptibly } from '../check/check-interruptibly.js';
import type { FileReport } from '../check/findings.js';
import type { LintOptions } from '../rules/lint.js';
import type { OpenDocuments } from './documents.js';
import type { createSettingsReader, FolderSettings } from './settings.js';
import type { Location } from './workspace.js';

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
