import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import {
  type ClientCapabilities,
  createProtocolConnection,
  type Diagnostic,
  type InitializeResult,
  type Position,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';

const program = fileURLToPath(new URL('../../bin/msgsite.js', import.meta.url));

export interface EditorOptions {
  /** Folders that are open in the editor. */
  readonly folders?: readonly string[];
  readonly capabilities?: ClientCapabilities;
  /** Arguments after `validate-screen --lsp`. */
  readonly words?: readonly string[];
  /** The process ID that the client reports. */
  readonly processId?: number;
}

/** A client of a language server, which is the built program connected over its standard streams. */
export interface Editor {
  readonly child: ChildProcess;
  readonly connection: ProtocolConnection;
  readonly hello: InitializeResult;
  /** Messages that the server asked the client to show or log. */
  readonly messages: readonly string[];
  open(uri: string, text: string, languageId?: string): Promise<void>;
  /** Replaces the whole text. */
  write(uri: string, version: number, text: string): Promise<void>;
  close(uri: string): Promise<void>;
  /** Resolves to the latest diagnostics of a document. */
  published(uri: string, version?: number): Promise<readonly Diagnostic[]>;
  /** Returns how many times the server sent diagnostics for a document. */
  timesPublished(uri: string): number;
  /** Opens a text in which `¦` marks the cursor, and returns its position. */
  openAt(marked: string): Promise<OpenText>;
  /** Shuts the server down by the protocol. Resolves to the exit code. */
  quit(): Promise<number | null>;
  /** Resolves to the exit code when the server exits. */
  exit(): Promise<number | null>;
  /** Kills the server. */
  kill(): void;
}

/** An open document, and the position of the cursor in it. */
export interface OpenText {
  readonly textDocument: { readonly uri: string };
  readonly position: Position;
  /** The document with the text that the server received. */
  readonly document: TextDocument;
}

/** The capabilities of a modern client. */
export const modern: ClientCapabilities = {
  textDocument: {
    completion: { completionItem: { snippetSupport: true, documentationFormat: ['markdown'] } },
    hover: { contentFormat: ['markdown', 'plaintext'] },
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'source.fixAll'] } },
    },
  },
  workspace: { workspaceEdit: { documentChanges: true } },
};

export async function startEditor(options: EditorOptions = {}): Promise<Editor> {
  const { folders = [], capabilities = {}, words = [], processId = process.pid } = options;
  const child = spawn(process.execPath, [program, 'validate-screen', '--lsp', ...words], {
    env: { PATH: process.env.PATH ?? '' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const published = new Map<string, PublishDiagnosticsParams[]>();
  const messages: string[] = [];
  child.stdin.on('error', () => {});
  connection.onError(() => {});
  connection.onNotification('textDocument/publishDiagnostics', (sent: PublishDiagnosticsParams) => {
    published.set(sent.uri, [...(published.get(sent.uri) ?? []), sent]);
  });
  const addMessage = ({ message }: { message: string }) => void messages.push(message);
  connection.onNotification('window/showMessage', addMessage);
  connection.onNotification('window/logMessage', addMessage);
  connection.listen();
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const workspaceFolders = folders.map((folder) => ({
    uri: pathToFileURL(folder).href,
    name: folder,
  }));
  const hello: InitializeResult = await connection.sendRequest('initialize', {
    processId,
    rootUri: null,
    workspaceFolders,
    capabilities: {
      ...capabilities,
      workspace: { workspaceFolders: true, ...capabilities.workspace },
      textDocument: { publishDiagnostics: { versionSupport: true }, ...capabilities.textDocument },
    },
  });
  await connection.sendNotification('initialized', {});
  let texts = 0;
  const open: Editor['open'] = (uri, text, languageId = 'json') =>
    connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId, version: 1, text },
    });
  const latest = (uri: string) => published.get(uri)?.at(-1);
  return {
    child,
    connection,
    hello,
    messages,
    open,
    async openAt(marked) {
      const uri = `file:///nowhere/text-${++texts}.screen.json`;
      const document = TextDocument.create(uri, 'json', 1, marked.replace('¦', ''));
      await open(uri, document.getText());
      const position = document.positionAt(marked.indexOf('¦'));
      return { textDocument: { uri }, position, document };
    },
    write: (uri, version, text) =>
      connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [{ text }],
      }),
    close: (uri) => connection.sendNotification('textDocument/didClose', { textDocument: { uri } }),
    async published(uri, version = 1) {
      await expect.poll(() => latest(uri)?.version).toBe(version);
      return latest(uri)?.diagnostics ?? [];
    },
    timesPublished: (uri) => published.get(uri)?.length ?? 0,
    async quit() {
      await connection.sendRequest('shutdown');
      await connection.sendNotification('exit');
      return exited;
    },
    exit: () => exited,
    kill: () => void child.kill('SIGKILL'),
  };
}
