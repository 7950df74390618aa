import {
  type Connection,
  type Diagnostic,
  DidChangeWatchedFilesNotification,
  type DidChangeWatchedFilesRegistrationOptions,
  DocumentDiagnosticReportKind,
  DocumentDiagnosticRequest,
  type InitializeParams,
  MessageType,
  ShowMessageNotification,
} from 'vscode-languageserver';
import type { Clock } from '../../base/clock.js';
import { formatBytes } from '../../base/files/input-file.js';
import { escapeForeign } from '../../base/foreign-text.js';
import { configName } from '../check/config.js';
import { ignoreName } from '../check/select-files.js';
import { handleRequests } from './answers.js';
import type { Client } from './capabilities.js';
import { createChecks, type FolderSettings } from './checks.js';
import type { Contract } from './contract.js';
import { diagnosticsOf, tooLarge } from './diagnostics.js';
import { createSheets } from './sheet.js';
import { type OpenDocument, openDocuments, openWorkspace } from './workspace.js';

export interface SessionOptions {
  readonly connection: Connection;
  readonly client: Client;
  readonly contract: Contract;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Size limit of documents, in bytes. */
  readonly maxBytes: number;
}

/** The session of one client. */
export type Session = ReturnType<typeof openSession>;

/** Opens the session of an initialised client. The session tracks the client's documents and reports their findings. */
export function openSession(params: InitializeParams, options: SessionOptions) {
  const { connection, client, clock, contract, maxBytes } = options;
  const workspace = openWorkspace(params);
  const documents = openDocuments(maxBytes);
  const checks = createChecks({
    documents,
    locate: workspace.locate,
    onSettings: createFaultReporter(connection),
  });
  const sheets = createSheets();
  handleRequests({ connection, client, contract, documents, checks, sheets });
  const logError = (error: unknown): void =>
    connection.console.error(error instanceof Error ? (error.stack ?? error.message) : `${error}`);

  async function diagnose(uri: string): Promise<Published & { readonly stamp?: string }> {
    const document = documents.get(uri);
    if (document?.kind !== 'definition') return { uri, diagnostics: [] };
    if (document.text === undefined) return { uri, diagnostics: [tooLarge(formatBytes(maxBytes))] };
    const checked = await checks.of(uri);
    if (checked === undefined) return { uri, diagnostics: [] };
    const { text, version, stamp, report } = checked;
    const diagnostics: Diagnostic[] = report ? diagnosticsOf(text, report) : [];
    return { uri, version, stamp, diagnostics };
  }

  const publisher = createPublisher({
    clock,
    diagnose,
    async publish({ uri, version, diagnostics }) {
      const versioned = client.supportsVersions && version !== undefined ? { version } : {};
      await connection.sendDiagnostics({ uri, ...versioned, diagnostics });
    },
    onError: logError,
  });
  const pushes = ({ kind }: OpenDocument): boolean =>
    !client.pullsDiagnostics && kind === 'definition';

  /** Checks every open document again. */
  function checkAgain(): void {
    if (client.refreshesDiagnostics) connection.languages.diagnostics.refresh().catch(logError);
    for (const document of documents.all()) if (pushes(document)) publisher.opened(document);
  }

  connection.onDidOpenTextDocument((event) => {
    const document = documents.open(event);
    if (pushes(document)) publisher.opened(document);
    if (document.kind === 'definition' && document.text === undefined) {
      showError(
        connection,
        `${escapeForeign(document.uri)}: ${tooLarge(formatBytes(maxBytes)).message}`,
      );
    }
  });
  connection.onDidChangeTextDocument((event) => {
    const document = documents.change(event);
    if (document && pushes(document)) publisher.changed(document);
  });
  connection.onDidCloseTextDocument(({ textDocument }) => {
    const document = documents.get(textDocument.uri);
    if (document === undefined) return;
    documents.close(textDocument);
    checks.forget(document.uri);
    sheets.forget(document.uri);
    if (pushes(document)) publisher.closed(document.uri);
  });
  connection.onDidSaveTextDocument(({ textDocument: { uri } }) => {
    if (documents.get(uri)?.kind === 'configuration') checkAgain();
  });
  connection.onDidChangeWatchedFiles(checkAgain);
  connection.onDidChangeConfiguration(() => {});
  connection.onRequest(
    DocumentDiagnosticRequest.type,
    async ({ textDocument, previousResultId }) => {
      const { stamp, diagnostics } = await diagnose(textDocument.uri);
      if (stamp !== undefined && stamp === previousResultId) {
        return { kind: DocumentDiagnosticReportKind.Unchanged, resultId: stamp };
      }
      const resultId = stamp === undefined ? {} : { resultId: stamp };
      return { kind: DocumentDiagnosticReportKind.Full, ...resultId, items: diagnostics };
    },
  );
  connection.onInitialized(() => {
    if (client.hasFolders) {
      connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        workspace.add(added);
        workspace.remove(removed);
        checkAgain();
      });
    }
    if (!client.watchesFiles) return;
    const watchers = [configName, ignoreName].map((name) => ({ globPattern: `**/${name}` }));
    const register: DidChangeWatchedFilesRegistrationOptions = { watchers };
    connection.client.register(DidChangeWatchedFilesNotification.type, register).catch(logError);
  });
  return {
    close(): void {
      publisher.endAll();
      checks.forgetAll();
    },
  };
}

/** Shows each fault of a folder's configuration once. */
function createFaultReporter(connection: Connection): (settings: FolderSettings) => void {
  const shown = new Set<string>();
  return ({ stamp, fault }) => {
    if (fault === undefined || shown.has(stamp)) return;
    shown.clear(); // Older stamps do not recur.
    shown.add(stamp);
    showError(
      connection,
      `${fault}\nUntil you fix the configuration, screen definitions are checked without it.`,
    );
  };
}

/** Shows a message without waiting for a response, which clients may omit. */
function showError(connection: Connection, message: string): void {
  void connection.sendNotification(ShowMessageNotification.type, {
    type: MessageType.Error,
    message,
  });
}

/** Delay between the last change to a document and its check, in milliseconds. */
const typingPause = 200;

interface PublisherOptions {
  readonly clock: Pick<Clock, 'sleep'>;
  /** Returns the diagnostics of a document. */
  diagnose(uri: string): Promise<Published | undefined>;
  publish(published: Published): Promise<void>;
  onError(error: unknown): void;
}

/** The diagnostics of a document, and its version. */
interface Published {
  readonly uri: string;
  readonly version?: number;
  readonly diagnostics: Diagnostic[];
}

/** Pushes diagnostics to clients that do not request them. */
function createPublisher({ clock, diagnose, publish, onError }: PublisherOptions) {
  /** The latest task of each document. A new task aborts it. */
  const tasks = new Map<string, AbortController>();

  function begin(uri: string, pause: number): void {
    tasks.get(uri)?.abort();
    const task = new AbortController();
    tasks.set(uri, task);
    const work = async (): Promise<void> => {
      if (pause > 0) await clock.sleep(pause, task.signal);
      if (task.signal.aborted) return;
      const published = await diagnose(uri);
      if (published && !task.signal.aborted) await publish(published);
    };
    void work()
      .catch(onError)
      .finally(() => {
        if (tasks.get(uri) === task) tasks.delete(uri);
      });
  }

  function end(uri: string): void {
    tasks.get(uri)?.abort();
    tasks.delete(uri);
  }

  return {
    opened: ({ uri }: OpenDocument) => begin(uri, 0),
    changed: ({ uri }: OpenDocument) => begin(uri, typingPause),
    closed(uri: string): void {
      end(uri);
      void publish({ uri, diagnostics: [] }).catch(onError);
    },
    endAll(): void {
      for (const uri of [...tasks.keys()]) end(uri);
    },
  };
}
